/*
 * layers: the configuration in force, from the command line of a verb of
 * wisp-config:
 *
 *	[--template FILE] [--layer NAME=PATH]... [--set KEY=VALUE]... [--command] [--option KEY=VALUE]... [--origin] [--as WORD]
 *
 * Each lies over the one before, --template over what is built in. --set is
 * the layer `command`, with --command so are the lines of WISP_CONFIG_SET, --option is the layer `option`. A layer's file is read by
 * git itself, without its includes; a missing one is empty.
 */
#ifndef WISP_LAYERS_H
#define WISP_LAYERS_H

#include "core/cli.h"

struct wisp_layers {
	struct wisp_texts files, sets, options;
	const char *template;
	bool with_origin;
	const char *to;		/* the file that gets it as JSON, besides */
	const char *said;	/* the file that gets what a start has to know, besides */
	const char *project, *template_dir;	/* for that */
	struct cJSON *unlimited, *unlimited_origin;	/* what config and origin are without --option; NULL without `said` */
	const char *as;		/* WORD=VALUE each, whole, and none for none; NULL: bare */
	struct cJSON *config;	/* as wisp_config_defaults */
	struct cJSON *origin;	/* canonical name -> layer, for what is not a default */
	struct cJSON *person;	/* what a person's own files (the layers `user` and `own`) set */
};

/* A verb begins with it. Dies: 100 for what the command line says, 102 for what a file says. */
void wisp_layers_read(struct wisp_layers *l, struct wisp_cli *cli, int operands);
void wisp_layers_release(struct wisp_layers *l);

#endif
