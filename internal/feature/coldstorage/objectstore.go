// This file keeps files by name: in a bucket of S3, in anything that speaks its API,
// or in a folder.
//
// It knows names, bytes and a few words for each file. It does not know what a file contains.
// A caller must check a file that it gets: a store may be cut off, or lie.

package coldstorage

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

var (
	// ErrNotFound is returned if there is no file of that name.
	ErrNotFound = errors.New("there is no such file")
	// ErrUnavailable is returned if the store did not answer, or stopped during the answer, at
	// every try. The call may be made again.
	ErrUnavailable = errors.New("the store is not responding; retry")
)

// Object is what a store knows about a file, without its bytes.
type Object struct {
	Name  string
	Size  int64
	Words map[string]string // by name, in small letters; List does not return them
}

// Content is the bytes of a file to keep.
type Content struct {
	Body   io.ReadSeeker
	Size   int64
	SHA256 string // of the bytes, in hexadecimal
}

// Store keeps files. Names are relative, with slashes.
type Store interface {
	// Head returns what the store knows about a file. Errors: ErrNotFound.
	Head(ctx context.Context, name string) (Object, error)
	// Put keeps a file in place of one of the same name: all of it or nothing.
	Put(ctx context.Context, name string, c Content, words map[string]string) error
	// Get writes a file to w. Errors: ErrNotFound; after an error w may have received a part.
	Get(ctx context.Context, name string, w io.Writer) error
	// List calls each for the files whose names begin with a prefix, by name.
	List(ctx context.Context, prefix string, each func(Object) error) error
}

// Open opens the store at an address: s3://bucket/prefix, or the path of a folder. Where
// credentials and endpoint come from is said at [Config].
func OpenStore(ctx context.Context, address string, getenv func(string) string) (Store, error) {
	if !strings.Contains(address, "://") {
		if address == "" {
			return nil, errors.New("missing location: use s3://bucket/prefix, or a folder")
		}
		return Folder(address), nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("the address is %.200q: use s3://bucket/prefix, or a folder", address)
	}
	return NewS3(ctx, Config{Bucket: u.Host, Prefix: strings.Trim(u.Path, "/"), Getenv: getenv})
}
