// Package backup copies every table of a Postgres into one file, as of one moment, and brings
// such a file into an empty database. The list of tables is the database's own, so a table that a
// later migration adds is copied too.
//
// A file is a tar archive: manifest.json, parts of tables in the form of COPY, compressed by
// gzip, index.json with the number of rows and the digest of each part, and end.json with the
// digest of all that is before it. A file without its end is not a
// backup. A restore reads and checks the whole file before it changes anything, and notes in the
// database how far it has come, so that the same command continues it.
//
// It knows Postgres' catalogue and files. It does not know what the tables mean, Redis, or the
// environment. Only lbctl links it.
package backup

import (
	"errors"
	"fmt"
	"time"
)

// format is the version of the file's form.
const format = 1

// product distinguishes a backup from other archives.
const product = "framedle-leaderboards"

// Manifest says what a backup is of.
type Manifest struct {
	Format  int       `json:"format"`
	Product string    `json:"product"`
	Version string    `json:"version"` // of the lbctl that wrote it
	Schema  int64     `json:"schema"`  // the newest migration of the database
	Game    string    `json:"game"`
	Rules   string    `json:"rules"` // by which the game's boards are kept, see package ruleset
	MadeAt  time.Time `json:"made_at"`
	// Saved says that what only Redis had was archived just before.
	Saved  bool    `json:"saved"`
	Tables []Table `json:"tables"` // in an order in which each follows those that it references
}

// Table is a table, or a partition of one.
type Table struct {
	Name    string   `json:"name"`
	Columns []Column `json:"columns"`
	Parent  string   `json:"parent,omitempty"` // of a partition
	Bound   string   `json:"bound,omitempty"`  // of a partition, as Postgres writes it
	rows    int64    // an estimate
}

// Column is a column of a table.
type Column struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// Part is a number of rows of a table.
type Part struct {
	Name   string `json:"name"` // of the file in the archive
	Table  string `json:"table"`
	Rows   int64  `json:"rows"`
	SHA256 string `json:"sha256"` // of the compressed rows
	offset int64
	size   int64
}

// Sequence is the state of a sequence.
type Sequence struct {
	Name   string `json:"name"`
	Last   int64  `json:"last"`
	Called bool   `json:"called"`
}

// index lists what is in the archive.
type index struct {
	Parts     []Part     `json:"parts"`
	Sequences []Sequence `json:"sequences"`
}

// ending is the last file of the archive.
type ending struct {
	SHA256 string `json:"sha256"` // of every byte before this file
}

// The names of the files in the archive.
const (
	manifestName = "manifest.json"
	indexName    = "index.json"
	endName      = "end.json"
)

// Progress is how far a run has come.
type Progress struct {
	Rows, All int64  // All is an estimate while a backup is written
	Doing     string // the table
}

// ErrRefused is returned for a file or a database that a restore must not use. Nothing was
// changed.
var ErrRefused = errors.New("nothing was changed")

func refuse(format string, args ...any) error {
	return fmt.Errorf("%w: %w", fmt.Errorf(format, args...), ErrRefused)
}
