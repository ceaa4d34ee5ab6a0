/*
 * calibrate: estimated and actual hours (001_, `metrics`).
 *
 * calibrationFactor is actual over estimated. What is learned is kept per project, in
 * SHARED/.calibration.json (core/place.h):
 *   {"version": 1, "runs": {ORCHESTRATOR ID: {"estimatedHours", "actualHours"}}}
 * and multiplies the estimates of later discoveries.
 */
#ifndef WISP_CALIBRATE_H
#define WISP_CALIBRATE_H

#include "core/record.h"

/* Actual over estimated, over all runs of the project; 1 where nothing is known. */
double wisp_calibration(const struct wisp_record *r);

#endif
