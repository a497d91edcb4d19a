// Package web holds the built pages and the widget, so that whoever has Go alone can
// serve them. `make web` builds them from web/src.
package web

import (
	"embed"
	"io/fs"
)

//go:embed all:dist
var built embed.FS

// Files are the pages as they are deployed: index.html at their root.
func Files() fs.FS {
	files, err := fs.Sub(built, "dist")
	if err != nil {
		panic(err) // dist is embedded above
	}
	return files
}
