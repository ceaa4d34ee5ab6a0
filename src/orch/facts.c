/*
 * facts: what the name of a file says of its project. See detect.h.
 */
#include "detect.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#include "core/schema.h"

#define FOREIGN "vendor|_vendor|vendored|node_modules|bower_components|third_party|third-party|thirdparty|3rdparty|Pods|.wisp"
#define TEST_FOLDERS "test|tests|Test|Tests|spec|specs|__tests__|e2e|testdata"
#define DEPLOY_FOLDERS "k8s|kubernetes|helm|deploy|deployment|deployments|ansible|terraform"
#define CI_FOLDERS ".github/workflows|.circleci|.buildkite|.gitlab/ci"
#define SOURCE "c|h|cc|cpp|cxx|hpp|hh|rs|go|py|js|mjs|ts|jsx|tsx|java|kt|rb|php|cs|swift|scala|sh|bash|lua|pl|ex|exs|hs|ml|zig|" \
	"dart|vue|svelte|sql|html|css|scss|m|mm|clj|erl|r|jl"
#define SOURCE_FOLDERS "src|lib|app|pkg|internal|cmd"
#define DOC_FOLDERS "doc|docs|examples"
#define DOCS "md|rst|adoc|asciidoc|org"
#define MANIFESTS "package.json|Cargo.toml|go.mod|pyproject.toml|setup.py|requirements.txt|pom.xml|build.gradle|build.gradle.kts|" \
	"composer.json|Gemfile|mix.exs|CMakeLists.txt|Makefile|GNUmakefile|meson.build|configure.ac|deno.json|Package.swift|Pipfile|" \
	"build.sbt|build.zig|dune-project|rebar.config|BUILD.bazel|Rakefile|Justfile|justfile"
#define MANIFEST_ENDS "csproj|fsproj|sln|gemspec|cabal"
#define CI_FILES ".gitlab-ci.yml|.travis.yml|Jenkinsfile|azure-pipelines.yml|bitbucket-pipelines.yml|.drone.yml|.woodpecker.yml|" \
	"appveyor.yml|.appveyor.yml|.cirrus.yml|.build.yml"
#define DEPLOY_FILES "Dockerfile|Containerfile|docker-compose.yml|docker-compose.yaml|compose.yml|compose.yaml|Procfile|fly.toml|" \
	"vercel.json|netlify.toml|app.yaml|serverless.yml|serverless.yaml|Chart.yaml|wrangler.toml|render.yaml|skaffold.yaml"

/* Is one of the folders of `path` among `words`? The last part of it is a file. */
static bool
below(const char *path, const char *words)
{
	char part[64];

	for (const char *end; (end = strchr(path, '/')) != NULL; path = end + 1) {
		size_t n = (size_t)(end - path);

		if (n >= sizeof part)
			continue;
		memcpy(part, path, n);
		part[n] = '\0';
		if (wisp_words_find(words, part) >= 0)
			return true;
	}
	return false;
}

static bool
begins(const char *path, const char *words)
{
	for (size_t n; *words != '\0'; words += n + (words[n] == '|')) {
		n = strcspn(words, "|");
		if (strncmp(path, words, n) == 0 && path[n] == '/')
			return true;
	}
	return false;
}

static bool
is_test(const char *path, const char *name, const char *ext)
{
	static const char *const ends[] = {"_test", ".test", "_spec", ".spec"};
	size_t stem = (size_t)(ext - name);

	if (below(path, TEST_FOLDERS) || strncmp(name, "test_", 5) == 0 || strcmp(ext, ".bats") == 0)
		return true;
	for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
		if (stem > 5 && strncmp(ext - 5, ends[i], 5) == 0)
			return true;
	if (stem > 5 && strncmp(ext - 5, "Tests", 5) == 0)
		return islower((unsigned char)ext[-6]);
	return stem > 4 && strncmp(ext - 4, "Test", 4) == 0 && islower((unsigned char)ext[-5]);
}

static bool
is_ci(const char *path, const char *name, const char *ext)
{
	if (wisp_words_find(CI_FILES, name) >= 0 || strncmp(path, ".ci/", 4) == 0)
		return true;
	return begins(path, CI_FOLDERS) && (strcmp(ext, ".yml") == 0 || strcmp(ext, ".yaml") == 0);
}

/* A folder `deploy` of the documents, or of the tests, deploys nothing; nor does a program's module of that name. */
static bool
is_deploy(const char *path, const char *name, const char *ext)
{
	if (below(path, TEST_FOLDERS "|" DOC_FOLDERS))
		return false;
	return wisp_words_find(DEPLOY_FILES, name) >= 0 || strncmp(name, "Dockerfile.", 11) == 0 || strcmp(ext, ".tf") == 0 ||
	       (below(path, DEPLOY_FOLDERS) && !below(path, SOURCE_FOLDERS));
}

void
wisp_facts_add(long long *facts, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash != NULL ? slash + 1 : path, *dot = strrchr(name, '.');
	const char *ext = dot != NULL && dot != name ? dot : name + strlen(name), *word = *ext == '.' ? ext + 1 : "";
	bool source = *word != '\0' && wisp_words_find(SOURCE, word) >= 0;

	if (below(path, FOREIGN))
		return;
	facts[WISP_FACT_FILES]++;
	facts[WISP_FACT_SOURCE] += source;
	facts[WISP_FACT_MANIFESTS] += wisp_words_find(MANIFESTS, name) >= 0 || (*word != '\0' && wisp_words_find(MANIFEST_ENDS, word) >= 0);
	facts[WISP_FACT_TESTS] += is_test(path, name, ext) && (source || strcmp(ext, ".bats") == 0);
	facts[WISP_FACT_CI] += is_ci(path, name, ext);
	facts[WISP_FACT_DEPLOY] += is_deploy(path, name, ext);
	facts[WISP_FACT_DOCS] += *word != '\0' && wisp_words_find(DOCS, word) >= 0;
	facts[WISP_FACT_README] += slash == NULL && strncasecmp(name, "readme", 6) == 0;
}
