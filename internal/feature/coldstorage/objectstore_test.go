package coldstorage_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/framedle/leaderboards/internal/feature/coldstorage"
	"github.com/framedle/leaderboards/internal/feature/coldstorage/s3test"
)

func contentOf(text string) coldstorage.Content {
	sum := sha256.Sum256([]byte(text))
	return coldstorage.Content{Body: bytes.NewReader([]byte(text)), Size: int64(len(text)), SHA256: hex.EncodeToString(sum[:])}
}

// refilled is a buffer that can begin again, as a file can.
type refilled struct{ bytes.Buffer }

func (r *refilled) Empty() error { r.Reset(); return nil }

func bucket(t *testing.T) (*s3test.Bucket, coldstorage.Store) {
	b := s3test.New(t, "boards")
	s, err := coldstorage.NewS3(t.Context(), coldstorage.Config{Bucket: "boards", Prefix: "years", Getenv: b.Environment, Client: s3test.AtOnce})
	require.NoError(t, err)
	return b, s
}

const name = "mode=daily frame/period=day/key=2026-W47/board.parquet"

func TestAStoreGivesBackWhatItWasGiven(t *testing.T) {
	b, s3 := bucket(t)
	b.Page = 2
	for kind, s := range map[string]coldstorage.Store{"s3": s3, "folder": coldstorage.Folder(t.TempDir())} {
		t.Run(kind, func(t *testing.T) {
			_, err := s.Head(t.Context(), name)
			require.ErrorIs(t, err, coldstorage.ErrNotFound)
			require.ErrorIs(t, s.Get(t.Context(), name, &refilled{}), coldstorage.ErrNotFound)
			for _, text := range []string{"first", "second, in its place"} {
				require.NoError(t, s.Put(t.Context(), name, contentOf(text), map[string]string{"rows": text[:1]}))
				o, err := s.Head(t.Context(), name)
				require.NoError(t, err)
				require.Equal(t, coldstorage.Object{Name: name, Size: int64(len(text)), Words: map[string]string{"rows": text[:1]}}, o)
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
				require.NoError(t, s.List(t.Context(), prefix, func(o coldstorage.Object) error {
					names = append(names, o.Name)
					return nil
				}))
				return names
			}
			require.Equal(t, want, list(""))
			require.Equal(t, want[1:4], list("mode=e/"))
			stop := errors.New("stop")
			require.ErrorIs(t, s.List(t.Context(), "", func(coldstorage.Object) error { return stop }), stop)
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
			require.ErrorIs(t, err, coldstorage.ErrUnavailable)
			require.ErrorContains(t, err, "s3://boards/years/"+name)
		}
	}
}

func TestABodyThatBreaksOffLeavesTheFileAsItWas(t *testing.T) {
	folder := coldstorage.Folder(t.TempDir())
	_, s3 := bucket(t)
	for _, s := range []coldstorage.Store{folder, s3} {
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
		_, err := coldstorage.OpenStore(t.Context(), address, b.Environment)
		require.ErrorContains(t, err, says, address)
	}
	unknown(t)
	for missing, says := range map[string]string{"AWS_REGION": "set AWS_REGION", "AWS_ACCESS_KEY_ID": "set AWS_ACCESS_KEY_ID"} {
		_, err := coldstorage.OpenStore(t.Context(), "s3://boards/years/", func(n string) string {
			if n == missing {
				return ""
			}
			return b.Environment(n)
		})
		require.ErrorContains(t, err, says)
	}
	s, err := coldstorage.OpenStore(t.Context(), "s3://boards/years/", b.Environment)
	require.NoError(t, err)
	require.NoError(t, s.Put(t.Context(), "a", contentOf("a"), nil))
	require.Equal(t, []string{"years/a"}, b.Names())
	other, err := coldstorage.OpenStore(t.Context(), "s3://nobodys", b.Environment)
	require.NoError(t, err)
	require.ErrorContains(t, other.Put(t.Context(), "a", contentOf("a"), nil), "NoSuchBucket")
}

func TestAWrongSecretIsRefused(t *testing.T) {
	b := s3test.New(t, "boards")
	s, err := coldstorage.OpenStore(t.Context(), "s3://boards/years", func(n string) string {
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

// unknown keeps what this machine knows of AWS out of a test.
func unknown(t *testing.T) (home string) {
	home = t.TempDir()
	for _, name := range []string{"AWS_PROFILE", "AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"} {
		t.Setenv(name, "")
	}
	t.Setenv("AWS_EC2_METADATA_DISABLED", "true")
	t.Setenv("AWS_CONFIG_FILE", filepath.Join(home, "config"))
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", filepath.Join(home, "credentials"))
	return home
}

// Rights that the environment does not name are found where AWS' own tools find them.
func TestRightsAreFoundInAProfile(t *testing.T) {
	b := s3test.New(t, "boards")
	home := unknown(t)
	text := "[default]\nregion = " + b.Environment("AWS_REGION") + "\naws_access_key_id = " + b.Environment("AWS_ACCESS_KEY_ID") +
		"\naws_secret_access_key = " + b.Environment("AWS_SECRET_ACCESS_KEY") + "\n"
	require.NoError(t, os.WriteFile(filepath.Join(home, "config"), []byte(text), 0o600))
	s, err := coldstorage.OpenStore(t.Context(), "s3://boards/years", func(name string) string {
		if name == "AWS_ENDPOINT_URL_S3" {
			return b.URL
		}
		return ""
	})
	require.NoError(t, err)
	require.NoError(t, s.Put(t.Context(), "a", contentOf("a"), nil))
	require.Equal(t, []string{"years/a"}, b.Names())
}

// A redirect would hand the session's token to another host.
func TestAStoreFollowsNoRedirect(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("the other host was asked") }))
	t.Cleanup(other.Close)
	for _, status := range []int{http.StatusMovedPermanently, http.StatusFound, http.StatusTemporaryRedirect, http.StatusPermanentRedirect} {
		endpoint := httptest.NewServer(http.RedirectHandler(other.URL, status))
		t.Cleanup(endpoint.Close)
		b := s3test.New(t, "boards")
		s, err := coldstorage.OpenStore(t.Context(), "s3://boards/years", func(name string) string {
			if name == "AWS_ENDPOINT_URL_S3" {
				return endpoint.URL
			}
			return b.Environment(name)
		})
		require.NoError(t, err)
		require.Error(t, s.Put(t.Context(), "a", contentOf("a"), nil))
		require.Error(t, s.Get(t.Context(), "a", &refilled{}))
		_, err = s.Head(t.Context(), "a")
		require.Error(t, err)
		require.Error(t, s.List(t.Context(), "", func(coldstorage.Object) error { return nil }))
	}
}

// What is sent to an http endpoint can be read by everybody on the way.
func TestOnlyThisMachineIsAskedByHTTP(t *testing.T) {
	b := s3test.New(t, "boards")
	for endpoint, says := range map[string]string{
		"http://storage.example.com": "use an https URL", "http://10.0.0.1:9000": "use an https URL", "http://127.0.0.1.example.com": "use an https URL",
		"ftp://127.0.0.1": "use an https URL", "storage.example.com": "use an https URL",
		"https://storage.example.com": "", "http://127.0.0.1:9000": "", "http://[::1]:9000": "", "http://localhost:9000": "",
	} {
		_, err := coldstorage.OpenStore(t.Context(), "s3://boards", func(name string) string {
			if name == "AWS_ENDPOINT_URL_S3" {
				return endpoint
			}
			return b.Environment(name)
		})
		if says == "" {
			require.NoError(t, err, endpoint)
			continue
		}
		require.ErrorContains(t, err, says, endpoint)
	}
}

// A large file is sent in parts.
func TestALargeFileIsKeptWhole(t *testing.T) {
	b, s := bucket(t)
	text := strings.Repeat("0123456789abcde\n", 2<<20) // 32 MiB
	require.NoError(t, s.Put(t.Context(), name, contentOf(text), map[string]string{"rows": "7"}))
	require.Greater(t, len(b.Asked()), 4)
	o, err := s.Head(t.Context(), name)
	require.NoError(t, err)
	require.Equal(t, coldstorage.Object{Name: name, Size: int64(len(text)), Words: map[string]string{"rows": "7"}}, o)
	var back refilled
	require.NoError(t, s.Get(t.Context(), name, &back))
	require.True(t, text == back.String())

	other := contentOf(text)
	other.SHA256 = contentOf("other").SHA256
	require.ErrorContains(t, s.Put(t.Context(), "b", other, nil), "not what its size and hash say")
	require.Equal(t, []string{"years/" + name}, b.Names())
}
