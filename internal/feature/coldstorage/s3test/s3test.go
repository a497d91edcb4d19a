// Package s3test is a bucket of S3 for tests, which can fail, break off and lie. It accepts
// only signed requests, and no body whose hash is not the signed one.
package s3test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/xml"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// Fault is what goes wrong with one request.
type Fault int

// The faults.
const (
	None       Fault = iota
	Busy             // 503 SlowDown, and nothing happens
	CutBefore        // the connection ends before anything happens
	CutAfter         // the connection ends once the file is kept
	HalfAnswer       // the connection ends in the middle of the answer
	Truncated        // half of the file is kept, and the answer is good
	Forgotten        // nothing is kept, and the answer is good
	Flipped          // a byte of the answer is another
)

// Bucket is the server. Its files may be looked at and changed between requests.
type Bucket struct {
	URL string
	// Fault returns what goes wrong with a request. It is called one request at a time; nil:
	// nothing goes wrong.
	Fault func(r *http.Request) Fault
	// Page is the number of names in one page of a list; 0: 1,000.
	Page int

	mu    sync.Mutex
	files map[string]file
	asked []string
	parts map[string][][]byte // of uploads that are not complete, by key
	words map[string]http.Header
}

type file struct {
	body  []byte
	words http.Header
}

// New starts a server with one empty bucket of that name. It ends with the test.
func New(t testing.TB, name string) *Bucket {
	b := &Bucket{files: map[string]file{}, parts: map[string][][]byte{}, words: map[string]http.Header{}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.serve(w, r, "/"+name+"/")
	}))
	t.Cleanup(server.Close)
	b.URL = server.URL
	return b
}

// AtOnce makes a client of the bucket try again without a pause, as often as it may.
func AtOnce(o *s3.Options) {
	o.Retryer = retry.NewStandard(func(r *retry.StandardOptions) {
		r.MaxAttempts, r.RateLimiter = o.RetryMaxAttempts, ratelimit.None
		r.Backoff = retry.BackoffDelayerFunc(func(int, error) (time.Duration, error) { return 0, nil })
	})
}

// Environment returns the variables with which a process reaches the bucket.
func (b *Bucket) Environment(name string) string {
	return map[string]string{
		"AWS_ACCESS_KEY_ID": keyID, "AWS_SECRET_ACCESS_KEY": secret, "AWS_REGION": region, "AWS_ENDPOINT_URL_S3": b.URL,
	}[name]
}

// Names returns the names of the stored files.
func (b *Bucket) Names() (names []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for name := range b.files {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Bytes returns the bytes of a file.
func (b *Bucket) Bytes(name string) []byte {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.files[name].body)
}

// Change replaces the bytes of a file, and leaves its words as they are.
func (b *Bucket) Change(name string, body []byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.files[name] = file{body, b.files[name].words}
}

// Asked returns the requests since the last call, as GET key.
func (b *Bucket) Asked() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	asked := b.asked
	b.asked = nil
	return asked
}

func (b *Bucket) serve(w http.ResponseWriter, r *http.Request, root string) {
	key, is := strings.CutPrefix(r.URL.Path, root)
	if r.URL.Path+"/" == root {
		key, is = "", true
	}
	b.asked = append(b.asked, r.Method+" "+key)
	fault := None
	if b.Fault != nil {
		fault = b.Fault(r)
	}
	switch {
	case fault == CutBefore:
		panic(http.ErrAbortHandler)
	case fault == Busy:
		refuse(w, http.StatusServiceUnavailable, "SlowDown")
	case !signed(r):
		refuse(w, http.StatusForbidden, "SignatureDoesNotMatch")
	case !is:
		refuse(w, http.StatusNotFound, "NoSuchBucket")
	case r.Method == http.MethodPost, r.URL.Query().Has("uploadId"):
		b.inParts(w, r, key)
	case r.Method == http.MethodPut:
		b.put(w, r, key, fault)
	case r.Method == http.MethodGet && key == "":
		b.list(w, r)
	case r.Method == http.MethodGet, r.Method == http.MethodHead:
		b.get(w, r, key, fault)
	default:
		refuse(w, http.StatusMethodNotAllowed, "MethodNotAllowed")
	}
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<Error><Code>"+code+"</Code><Message>said by the test</Message></Error>")
}

// inParts takes a file in parts. There is one upload of a key at a time, and its id is the key.
func (b *Bucket) inParts(w http.ResponseWriter, r *http.Request, key string) {
	query := r.URL.Query()
	body, err := io.ReadAll(r.Body)
	sum := sha256.Sum256(body)
	number, _ := strconv.Atoi(query.Get("partNumber"))
	switch {
	case err != nil || r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(sum[:]):
		refuse(w, http.StatusBadRequest, "XAmzContentSHA256Mismatch")
	case query.Has("uploads"):
		b.parts[key], b.words[key] = nil, wordsOf(r)
		_, _ = io.WriteString(w, "<InitiateMultipartUploadResult><UploadId>"+key+"</UploadId></InitiateMultipartUploadResult>")
	case r.Method == http.MethodPut && number > 0:
		for len(b.parts[key]) < number {
			b.parts[key] = append(b.parts[key], nil)
		}
		b.parts[key][number-1] = body
		w.Header().Set("ETag", strconv.Quote(hex.EncodeToString(sum[:])))
	case r.Method == http.MethodPost:
		b.files[key] = file{slices.Concat(b.parts[key]...), b.words[key]}
		delete(b.parts, key)
		_, _ = io.WriteString(w, "<CompleteMultipartUploadResult><ETag>all</ETag></CompleteMultipartUploadResult>")
	case r.Method == http.MethodDelete:
		delete(b.parts, key)
		w.WriteHeader(http.StatusNoContent)
	}
}

// wordsOf are the words that a request gives its file.
func wordsOf(r *http.Request) http.Header {
	words := http.Header{}
	for name, values := range r.Header {
		if strings.HasPrefix(name, "X-Amz-Meta-") {
			words[name] = values
		}
	}
	return words
}

func (b *Bucket) put(w http.ResponseWriter, r *http.Request, key string, fault Fault) {
	body, err := io.ReadAll(r.Body)
	sum := sha256.Sum256(body)
	if err != nil || r.Header.Get("X-Amz-Content-Sha256") != hex.EncodeToString(sum[:]) {
		refuse(w, http.StatusBadRequest, "XAmzContentSHA256Mismatch")
		return
	}
	switch fault {
	case Truncated:
		body = body[:len(body)/2]
	case Forgotten:
		return
	}
	b.files[key] = file{body, wordsOf(r)}
	if fault == CutAfter {
		panic(http.ErrAbortHandler)
	}
}

func (b *Bucket) get(w http.ResponseWriter, r *http.Request, key string, fault Fault) {
	kept, ok := b.files[key]
	if !ok {
		refuse(w, http.StatusNotFound, "NoSuchKey")
		return
	}
	for name, values := range kept.words {
		w.Header()[name] = values
	}
	w.Header().Set("Content-Length", strconv.Itoa(len(kept.body)))
	if r.Method == http.MethodHead {
		return
	}
	body := slices.Clone(kept.body)
	switch fault {
	case HalfAnswer:
		_, _ = w.Write(body[:len(body)/2])
		panic(http.ErrAbortHandler)
	case Flipped:
		body[len(body)/3] ^= 0x10
	}
	_, _ = w.Write(body)
}

// list answers as ListObjectsV2 does; a token is the last name.
func (b *Bucket) list(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	type content struct {
		Key  string
		Size int
	}
	var answer struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		Contents              []content
		IsTruncated           bool
		NextContinuationToken string `xml:",omitempty"`
	}
	var names []string
	for name := range b.files {
		if strings.HasPrefix(name, query.Get("prefix")) && name > query.Get("continuation-token") {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	page := b.Page
	if page == 0 {
		page = 1000
	}
	if len(names) > page {
		names, answer.IsTruncated, answer.NextContinuationToken = names[:page], true, names[page-1]
	}
	for _, name := range names {
		answer.Contents = append(answer.Contents, content{name, len(b.files[name].body)})
	}
	_ = xml.NewEncoder(w).Encode(answer)
}
