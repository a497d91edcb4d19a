package objectstore_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/objectstore"
	"github.com/framedle/leaderboards/internal/objectstore/s3test"
)

func contentOf(text string) objectstore.Content {
	sum := sha256.Sum256([]byte(text))
	return objectstore.Content{Body: bytes.NewReader([]byte(text)), Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
}

// refilled is a buffer that can begin again, as a file can.
type refilled struct{ bytes.Buffer }

func (r *refilled) Empty() error { r.Reset(); return nil }

func bucket(t *testing.T) (*s3test.Bucket, objectstore.Store) {
	b := s3test.New(t, "boards")
	c := objectstore.FromEnvironment(b.Environment)
	c.Bucket, c.Prefix = "boards", "years"
	c.Pause = func(context.Context, int) error { return nil }
	s, err := objectstore.NewS3(c)
	require.NoError(t, err)
	return b, s
}

const name = "mode=daily frame/period=day/key=2026-W47/board.parquet"

func TestAStoreGivesBackWhatItWasGiven(t *testing.T) {
	b, s3 := bucket(t)
	b.Page = 2
	for kind, s := range map[string]objectstore.Store{"s3": s3, "folder": objectstore.Folder(t.TempDir())} {
		t.Run(kind, func(t *testing.T) {
			_, err := s.Head(t.Context(), name)
			require.ErrorIs(t, err, objectstore.ErrNotFound)
			require.ErrorIs(t, s.Get(t.Context(), name, &refilled{}), objectstore.ErrNotFound)
			for _, text := range []string{"first", "second, in its place"} {
				require.NoError(t, s.Put(t.Context(), name, contentOf(text), map[string]string{"rows": text[:1]}))
				o, err := s.Head(t.Context(), name)
				require.NoError(t, err)
				require.Equal(t, objectstore.Object{Name: name, Size: int64(len(text)), Words: map[string]string{"rows": text[:1]}}, o)
				var back refilled
				require.NoError(t, s.Get(t.Context(), name, &back))
				require.Equal(t, text, back.String())
			}
			want := []string{name}
			for _, other := range []string{"mode=e/1", "mode=e/2", "mode=e/3", "mode=f/1"} {
				require.NoError(t, s.Put(t.Context(), other, contentOf(""), nil))
				want = append(want, other)
			}
			list := func(prefix string) (names []string) {
				require.NoError(t, s.List(t.Context(), prefix, func(o objectstore.Object) error {
					names = append(names, o.Name)
					return nil
				}))
				return names
			}
			require.Equal(t, want, list(""))
			require.Equal(t, want[1:4], list("mode=e/"))
			stop := errors.New("stop")
			require.ErrorIs(t, s.List(t.Context(), "", func(objectstore.Object) error { return stop }), stop)
		})
	}
}

// A request that fails once or twice is tried again; if it always fails, the error is
// returned.
func TestAStoreThatFailsIsAskedAgain(t *testing.T) {
	for _, fault := range []s3test.Fault{s3test.Busy, s3test.CutBefore, s3test.CutAfter, s3test.HalfAnswer} {
		b, s := bucket(t)
		times, left := 2, 0
		b.Fault = func(*http.Request) s3test.Fault {
			if left--; left >= 0 {
				return fault
			}
			return s3test.None
		}
		for range 2 {
			left = times
			require.NoError(t, s.Put(t.Context(), name, contentOf("what is kept"), nil))
			left = times
			var back refilled
			require.NoError(t, s.Get(t.Context(), name, &back))
			require.Equal(t, "what is kept", back.String(), "nothing of the answers that broke off")
		}
		left = 1000
		err := s.Get(t.Context(), name, &refilled{})
		if fault != s3test.CutAfter { // reads have no such fault
			require.ErrorIs(t, err, objectstore.ErrUnavailable)
			require.ErrorContains(t, err, "s3://boards/years/"+name)
		}
	}
}

func TestABodyThatBreaksOffLeavesTheFileAsItWas(t *testing.T) {
	folder := objectstore.Folder(t.TempDir())
	_, s3 := bucket(t)
	for _, s := range []objectstore.Store{folder, s3} {
		require.NoError(t, s.Put(t.Context(), name, contentOf("first"), nil))
		short := contentOf("sec")
		short.Size += 3
		require.Error(t, s.Put(t.Context(), name, short, nil))
		var back refilled
		require.NoError(t, s.Get(t.Context(), name, &back))
		require.Equal(t, "first", back.String())
	}
	left, err := filepath.Glob(filepath.Join(string(folder), "mode=daily frame/period=day/key=2026-W47/.writing-*"))
	require.NoError(t, err)
	require.Empty(t, left)
	_, err = os.Stat(string(folder))
	require.NoError(t, err)
}

func TestAWrongAddressSaysWhatWouldBeRight(t *testing.T) {
	b := s3test.New(t, "boards")
	for address, says := range map[string]string{
		"": "s3://bucket/prefix", "https://boards.s3.amazonaws.com": "use s3://bucket/prefix", "s3://": "use s3://bucket/prefix", "s3://u:p@b/": "use s3://",
	} {
		_, err := objectstore.Open(address, b.Environment)
		require.ErrorContains(t, err, says, address)
	}
	for missing, says := range map[string]string{"AWS_REGION": "set AWS_REGION", "AWS_ACCESS_KEY_ID": "set AWS_ACCESS_KEY_ID"} {
		_, err := objectstore.Open("s3://boards/years/", func(n string) string {
			if n == missing {
				return ""
			}
			return b.Environment(n)
		})
		require.ErrorContains(t, err, says)
	}
	s, err := objectstore.Open("s3://boards/years/", b.Environment)
	require.NoError(t, err)
	require.NoError(t, s.Put(t.Context(), "a", contentOf("a"), nil))
	require.Equal(t, []string{"years/a"}, b.Names())
	other, err := objectstore.Open("s3://nobodys", b.Environment)
	require.NoError(t, err)
	require.ErrorContains(t, other.Put(t.Context(), "a", contentOf("a"), nil), "NoSuchBucket")
}

func TestAWrongSecretIsRefused(t *testing.T) {
	b := s3test.New(t, "boards")
	s, err := objectstore.Open("s3://boards/years", func(n string) string {
		if n == "AWS_SECRET_ACCESS_KEY" {
			return "another"
		}
		return b.Environment(n)
	})
	require.NoError(t, err)
	require.ErrorContains(t, s.Put(t.Context(), "a", contentOf("a"), nil), "SignatureDoesNotMatch")
	_, err = s.Head(t.Context(), "a")
	require.ErrorContains(t, err, "403")
	require.Empty(t, b.Names())
}
