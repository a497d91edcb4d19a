package app

import (
	"cmp"
	"runtime/debug"
)

// version and revision are set where a release or an image is built:
// -ldflags "-X …/internal/product/app.version=v1.2.3".
var version, revision string

// Version names this build: its release, else the revision it was built from,
// else "unknown".
func Version() string { return cmp.Or(version, Revision(), "unknown") }

// Revision is the commit that this build was made from; empty if it is not known.
func Revision() string {
	if info, ok := debug.ReadBuildInfo(); ok && revision == "" {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				return setting.Value
			}
		}
	}
	return revision
}
