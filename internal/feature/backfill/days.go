package backfill

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/game"
	"github.com/framedle/leaderboards/internal/lifecycle"
)

// day is a mode's day in the files. Its entries are on disk, ordered by player.
type day struct {
	lifecycle.ModeDay
	entries     int64
	begins, end int64 // bytes
}

// days are all days of the files, ordered by date, then by mode.
type days struct {
	game    *game.Game
	file    *os.File
	list    []*day
	entries int64
}

// standings plays the sorted plays and writes the resulting entries to disk. It calls refuse
// for plays that would take a day's total out of its bounds.
func standings(g *game.Game, dir string, next func() ([]byte, error), refuse func(play)) (*days, error) {
	file, err := os.CreateTemp(dir, "standing-")
	if err != nil {
		return nil, fmt.Errorf("keep the results on disk: %w", err)
	}
	all := &days{game: g, file: file}
	w := bufio.NewWriterSize(file, runBuffer)
	var at int64
	var buffer []byte
	var now standing
	var of lifecycle.ModeDay
	put := func() error {
		if now.player == "" {
			return nil
		}
		if n := len(all.list); n == 0 || all.list[n-1].ModeDay != of {
			all.list = append(all.list, &day{ModeDay: of, begins: at})
		}
		buffer = now.appendTo(append(buffer[:0], 0, 0, 0, 0))
		binary.BigEndian.PutUint32(buffer, uint32(len(buffer)-4))
		n, err := w.Write(buffer)
		at += int64(n)
		d := all.list[len(all.list)-1]
		d.entries, d.end = d.entries+1, at
		all.entries++
		return err
	}
	player := ""
	for {
		record, err := next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return all, err
		}
		p, err := readPlay(record)
		if err != nil {
			return all, err
		}
		if this := (lifecycle.ModeDay{Mode: g.Modes[p.mode], Date: p.date}); this != of || p.player != player {
			if err := put(); err != nil {
				return all, err
			}
			of, player, now = this, p.player, standing{}
		}
		if !now.take(g, of.Mode, p) {
			refuse(p)
		}
	}
	if err := put(); err != nil {
		return all, err
	}
	return all, w.Flush()
}

func (all *days) close() error { return remove([]*os.File{all.file}) }

// eachStanding reads a day's entries, ordered by player.
func (all *days) eachStanding(d *day, take func(*standing) error) error {
	r := bufio.NewReaderSize(io.NewSectionReader(all.file, d.begins, d.end-d.begins), runBuffer)
	var buffer []byte
	for range d.entries {
		var length [4]byte
		if _, err := io.ReadFull(r, length[:]); err != nil {
			return err
		}
		n := int(binary.BigEndian.Uint32(length[:]))
		if n > cap(buffer) {
			buffer = make([]byte, n)
		}
		if _, err := io.ReadFull(r, buffer[:n]); err != nil {
			return err
		}
		s, err := readStanding(buffer[:n])
		if err != nil {
			return err
		}
		if err := take(s); err != nil {
			return err
		}
	}
	return nil
}

func (s *standing) appendTo(b []byte) []byte {
	b = append(append(b, s.player...), 0)
	b = binary.BigEndian.AppendUint64(b, math.Float64bits(s.stored))
	b = binary.BigEndian.AppendUint64(b, uint64(s.moment.Unix()))
	b = binary.BigEndian.AppendUint32(b, uint32(s.moment.Nanosecond()))
	for _, text := range [...]string{strings.Join(s.groups, " "), s.details, s.country, s.name, s.picture} {
		b = appendText(b, text)
	}
	return b
}

func readStanding(b []byte) (*standing, error) {
	d := decoder{b: b}
	s := &standing{player: d.untilZero(), stored: math.Float64frombits(d.uint64())}
	seconds, nanos := int64(d.uint64()), int64(d.uint32())
	s.moment = time.Unix(seconds, nanos).UTC()
	s.groups = strings.Fields(d.text())
	for _, into := range [...]*string{&s.details, &s.country, &s.name, &s.picture} {
		*into = d.text()
	}
	return s, d.err
}

// result returns the entry in the form in which a closing reads it.
func (s *standing) result(m *game.Mode) (game.Result, error) {
	r := game.Result{
		Player: s.player, Stored: s.stored,
		Profile: game.Profile{Name: s.name, Picture: s.picture, Country: s.country},
	}
	for _, id := range s.groups {
		scope, err := game.GroupScope(id)
		if err != nil {
			return r, err
		}
		r.Scopes = append(r.Scopes, game.ScopedResult{Scope: scope, Stored: s.stored})
	}
	for _, scope := range game.ScopesOf(m, s.country) {
		r.Scopes = append(r.Scopes, game.ScopedResult{Scope: scope, Stored: s.stored})
	}
	if s.details != "" {
		r.Details = []byte(s.details)
	}
	return r, nil
}
