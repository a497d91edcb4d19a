// Package objectstore keeps files by name, in a bucket of S3 or of anything that
// speaks its API, or in a folder.
//
// It knows names, bytes and a few words beside them. It must not know what a file
// holds. Who asks for a file must check it: a store may be cut off, or lie.
package objectstore

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"strings"
)

var (
	// ErrNotFound says that there is no file of that name.
	ErrNotFound = errors.New("there is no such file")
	// ErrUnavailable says that the store does not answer, or stopped to in the middle,
	// each time it was asked. The call may be made again.
	ErrUnavailable = errors.New("the store does not answer; the call may be made again")
)

// Object is what a store knows of a file besides its bytes.
type Object struct {
	Name  string
	Size  int64
	Words map[string]string // by name, in small letters; a List does not tell them
}

// Content is the bytes of a file that is to be kept.
type Content struct {
	Body   io.ReadSeeker
	Size   int64
	SHA256 string // of the bytes, in hexadecimal digits
}

// Store is where files are. Names are relative, with slashes.
type Store interface {
	// Head tells what is known of a file. Errors: ErrNotFound.
	Head(ctx context.Context, name string) (Object, error)
	// Put keeps a file, in place of one of the same name: all of it or nothing.
	Put(ctx context.Context, name string, c Content, words map[string]string) error
	// Get writes a file to w. Errors: ErrNotFound; after any error w may have had a part.
	Get(ctx context.Context, name string, w io.Writer) error
	// List tells the files whose names begin with a prefix, by name.
	List(ctx context.Context, prefix string, each func(Object) error) error
}

// Open opens the store at an address: s3://bucket/prefix, or a folder's path. The
// environment says by which rights, and through which endpoint; see [FromEnvironment].
func Open(address string, getenv func(string) string) (Store, error) {
	if !strings.Contains(address, "://") {
		if address == "" {
			return nil, errors.New("which store? give s3://bucket/prefix, or a folder")
		}
		return Folder(address), nil
	}
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "s3" || u.Host == "" || u.RawQuery != "" || u.Fragment != "" || u.User != nil {
		return nil, fmt.Errorf("the address is %.200q: use s3://bucket/prefix, or a folder", address)
	}
	c := FromEnvironment(getenv)
	c.Bucket, c.Prefix = u.Host, strings.Trim(u.Path, "/")
	return NewS3(c)
}
