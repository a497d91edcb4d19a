package coldstorage

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// Folder is a store on this machine. The words of a file are in a second file next to it, with
// wordsSuffix after the name.
type Folder string

const wordsSuffix = ".words.json"

func (f Folder) path(name string) string { return filepath.Join(string(f), filepath.FromSlash(name)) }

// Head implements [Store].
func (f Folder) Head(_ context.Context, name string) (Object, error) {
	info, err := os.Stat(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return Object{}, fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	if err != nil {
		return Object{}, err
	}
	o := Object{Name: name, Size: info.Size(), Words: map[string]string{}}
	text, err := os.ReadFile(f.path(name) + wordsSuffix)
	if err == nil {
		err = json.Unmarshal(text, &o.Words)
	}
	if err != nil { // a file that something else put here has no words
		o.Words = map[string]string{}
	}
	return o, nil
}

// Put implements [Store]. It writes the words last: if it is cut off, the file has no words,
// and counts as unknown.
func (f Folder) Put(_ context.Context, name string, c Content, words map[string]string) error {
	path := f.path(name)
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		return err
	}
	if err := os.Remove(path + wordsSuffix); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	err := replace(path, func(w io.Writer) error {
		if _, err := c.Body.Seek(0, io.SeekStart); err != nil {
			return err
		}
		n, err := io.Copy(w, c.Body)
		if err == nil && n != c.Size {
			err = fmt.Errorf("%s has %d bytes, not %d", name, n, c.Size)
		}
		return err
	})
	if err != nil {
		return err
	}
	return replace(path+wordsSuffix, func(w io.Writer) error { return json.NewEncoder(w).Encode(words) })
}

// replace writes a temporary file and renames it when it is complete.
func replace(path string, write func(io.Writer) error) (err error) {
	aside, err := os.CreateTemp(filepath.Dir(path), ".writing-*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(aside.Name())
		}
	}()
	if err = write(aside); err == nil {
		err = aside.Sync()
	}
	if err = errors.Join(err, aside.Close()); err != nil {
		return err
	}
	return os.Rename(aside.Name(), path)
}

// Get implements [Store].
func (f Folder) Get(_ context.Context, name string, w io.Writer) error {
	file, err := os.Open(f.path(name))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: %w", name, ErrNotFound)
	}
	if err != nil {
		return err
	}
	_, err = io.Copy(w, file)
	return errors.Join(err, file.Close())
}

// List implements [Store].
func (f Folder) List(_ context.Context, prefix string, each func(Object) error) error {
	err := filepath.WalkDir(string(f), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		within, err := filepath.Rel(string(f), path)
		if err != nil {
			return err
		}
		name := filepath.ToSlash(within)
		if !strings.HasPrefix(name, prefix) || strings.HasSuffix(name, wordsSuffix) || strings.HasPrefix(entry.Name(), ".writing-") {
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return each(Object{Name: name, Size: info.Size()})
	})
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no folder %s", f)
	}
	return err
}
