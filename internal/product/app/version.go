package app

import (
	"cmp"
	"runtime/debug"
)

// version is set where a release is built: -ldflags "-X …/internal/product/app.version=v1.2.3".
var version string

// Version names this build: its release, else the revision it was built from,
// else "unknown".
func Version() string {
	revision := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, setting := range info.Settings {
			if setting.Key == "vcs.revision" {
				revision = setting.Value
			}
		}
	}
	return cmp.Or(version, revision, "unknown")
}
