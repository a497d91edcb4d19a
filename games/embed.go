// Package games holds the files of the games that come with the product. It
// knows their text only: package gamefile reads them.
package games

import "embed"

// FS holds the game files, one per game: framedle.yaml and its like.
//
//go:embed *.yaml
var FS embed.FS
