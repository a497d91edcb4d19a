package objectstore

import (
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// Config is a bucket and the credentials for it.
type Config struct {
	Bucket, Prefix string
	Region         string
	Credentials    aws.Credentials
	Endpoint       string       // http or https URL of the S3 API; empty: AWS' own of the region
	HTTP           *http.Client // nil: a client without a time limit, since files may be large
	// Pause waits before the nth try, from 1; nil: 0.2 s, doubled each time.
	Pause func(ctx context.Context, n int) error
	Now   func() time.Time // nil: the machine's clock
}

// FromEnvironment reads a Config from AWS' own variables: AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION (or AWS_DEFAULT_REGION),
// AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL).
// https://docs.aws.amazon.com/sdkref/latest/guide/feature-ss-endpoints.html
func FromEnvironment(getenv func(string) string) Config {
	c := Config{Region: cmp.Or(getenv("AWS_REGION"), getenv("AWS_DEFAULT_REGION")), Credentials: aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"), SessionToken: getenv("AWS_SESSION_TOKEN"),
	}}
	if getenv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") != "true" {
		c.Endpoint = cmp.Or(getenv("AWS_ENDPOINT_URL_S3"), getenv("AWS_ENDPOINT_URL"))
	}
	return c
}

// S3 is a bucket. It is safe for concurrent use.
type S3 struct {
	c      Config
	base   *url.URL // of the bucket
	signer *v4.Signer
}

const (
	mostTries = 4
	// emptySHA256 is the hash of no bytes.
	emptySHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
	wordHeader  = "X-Amz-Meta-"
	mostAnswer  = 4 << 20 // bytes of a page of a list: up to 1,000 names of 1 KB
)

// NewS3 makes a store of a bucket. It dials nothing.
func NewS3(c Config) (*S3, error) {
	switch {
	case c.Bucket == "":
		return nil, errors.New("which bucket? use s3://bucket/prefix")
	case c.Region == "":
		return nil, errors.New("the bucket's region is not known: set AWS_REGION")
	case c.Credentials.AccessKeyID == "" || c.Credentials.SecretAccessKey == "":
		return nil, errors.New("no rights to the bucket are known: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, as `aws configure export-credentials --format env` prints them")
	}
	// The bucket is in the path for endpoints other than AWS' own, which have no host names
	// for buckets, and for bucket names with dots, which no certificate covers.
	address := "https://" + c.Bucket + ".s3." + c.Region + ".amazonaws.com/"
	if strings.Contains(c.Bucket, ".") {
		address = "https://s3." + c.Region + ".amazonaws.com/" + c.Bucket + "/"
	}
	if c.Endpoint != "" {
		address = strings.TrimRight(c.Endpoint, "/") + "/" + c.Bucket + "/"
	}
	base, err := url.Parse(address)
	if err != nil || base.Scheme != "https" && base.Scheme != "http" || base.Host == "" {
		return nil, fmt.Errorf("AWS_ENDPOINT_URL_S3 is %.200q: use a URL such as http://127.0.0.1:9000", c.Endpoint)
	}
	if c.HTTP == nil {
		c.HTTP = &http.Client{}
	}
	if c.Pause == nil {
		c.Pause = pause
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	signer := v4.NewSigner(func(o *v4.SignerOptions) { o.DisableURIPathEscaping = true }) // S3 requires it
	return &S3{c: c, base: base, signer: signer}, nil
}

func pause(ctx context.Context, n int) error {
	t := time.NewTimer(100 * time.Millisecond << n)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// key returns a file's key in the bucket.
func (s *S3) key(name string) string {
	if s.c.Prefix == "" {
		return name
	}
	return s.c.Prefix + "/" + name
}

// call is one request, which may be sent again.
type call struct {
	method, key string
	query       url.Values
	words       map[string]string
	content     *Content
	// take reads the answer. If the answer breaks off, the call is sent again.
	take func(*http.Response) error
}

// do sends a call until it is answered, at most mostTries times.
func (s *S3) do(ctx context.Context, c call) error {
	var err error
	for n := range mostTries {
		if n > 0 {
			if err := s.c.Pause(ctx, n); err != nil {
				return err
			}
		}
		var again bool
		if again, err = s.once(ctx, c); !again || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		err = fmt.Errorf("%s s3://%s/%s: %w", c.method, s.c.Bucket, c.key, err)
	}
	return err
}

func (s *S3) once(ctx context.Context, c call) (again bool, err error) {
	u := *s.base
	u.Path += c.key
	u.RawPath = s.base.EscapedPath() + escaped(c.key)
	u.RawQuery = strings.ReplaceAll(c.query.Encode(), "+", "%20")
	r, err := http.NewRequestWithContext(ctx, c.method, u.String(), nil)
	if err != nil {
		return false, err
	}
	hash := emptySHA256
	if c.content != nil {
		if _, err := c.content.Body.Seek(0, io.SeekStart); err != nil {
			return false, err
		}
		hash = c.content.SHA256
		// The transport must not close the reader: it may be read again.
		r.Body, r.ContentLength = io.NopCloser(c.content.Body), c.content.Size
	}
	for name, value := range c.words {
		r.Header.Set(wordHeader+name, value)
	}
	r.Header.Set("X-Amz-Content-Sha256", hash)
	if err := s.signer.SignHTTP(ctx, s.c.Credentials, r, hash, "s3", s.c.Region, s.c.Now()); err != nil {
		return false, err
	}
	answer, err := s.c.HTTP.Do(r)
	if err != nil {
		return true, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer func() { _ = answer.Body.Close() }()
	switch {
	case answer.StatusCode == http.StatusNotFound:
		return false, refused(answer, ErrNotFound)
	case answer.StatusCode >= 500, answer.StatusCode == http.StatusTooManyRequests, answer.StatusCode == http.StatusRequestTimeout:
		return true, refused(answer, ErrUnavailable)
	case answer.StatusCode != http.StatusOK:
		return false, refused(answer, nil)
	}
	if c.take == nil {
		return false, nil
	}
	if err := c.take(answer); err != nil {
		return errors.Is(err, ErrUnavailable), err
	}
	return false, nil
}

// escaped returns a key as in a URL and in the signature: everything is escaped except what
// RFC 3986 leaves alone.
func escaped(key string) string {
	parts := strings.Split(key, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(url.QueryEscape(part), "+", "%20")
	}
	return strings.Join(parts, "/")
}

// refused makes an error of an answer that is no success.
func refused(answer *http.Response, kind error) error {
	text, _ := io.ReadAll(io.LimitReader(answer.Body, 4096))
	var said struct{ Code, Message string }
	if xml.Unmarshal(text, &said) != nil || said.Code == "" {
		said.Code = http.StatusText(answer.StatusCode)
	}
	if kind == nil {
		return fmt.Errorf("status %d: %s %s", answer.StatusCode, said.Code, said.Message)
	}
	return fmt.Errorf("%w: status %d: %s %s", kind, answer.StatusCode, said.Code, said.Message)
}

// Head implements [Store].
func (s *S3) Head(ctx context.Context, name string) (Object, error) {
	o := Object{Name: name, Words: map[string]string{}}
	err := s.do(ctx, call{method: http.MethodHead, key: s.key(name), take: func(answer *http.Response) error {
		o.Size = answer.ContentLength
		for header, values := range answer.Header {
			if word, is := strings.CutPrefix(header, wordHeader); is {
				o.Words[strings.ToLower(word)] = values[0]
			}
		}
		return nil
	}})
	return o, err
}

// Put implements [Store]. S3 refuses a body whose hash is not the signed one, so a request
// that is cut off leaves nothing.
func (s *S3) Put(ctx context.Context, name string, c Content, words map[string]string) error {
	return s.do(ctx, call{method: http.MethodPut, key: s.key(name), content: &c, words: words})
}

// Get implements [Store]. If an answer breaks off, Get asks again, provided that w can be
// emptied, as a file can.
func (s *S3) Get(ctx context.Context, name string, w io.Writer) error {
	return s.do(ctx, call{method: http.MethodGet, key: s.key(name), take: func(answer *http.Response) error {
		n, err := io.Copy(w, answer.Body)
		if err == nil && answer.ContentLength >= 0 && n != answer.ContentLength {
			err = io.ErrUnexpectedEOF
		}
		if err == nil {
			return nil
		}
		if file, can := w.(emptied); can && file.Empty() == nil {
			return fmt.Errorf("%w: after %d bytes: %w", ErrUnavailable, n, err)
		}
		return fmt.Errorf("after %d bytes: %w", n, err)
	}})
}

// emptied is a writer that can begin again.
type emptied interface{ Empty() error }

// List implements [Store].
func (s *S3) List(ctx context.Context, prefix string, each func(Object) error) error {
	query := url.Values{"list-type": {"2"}, "prefix": {s.key(prefix)}}
	own := s.key("")
	for {
		var page struct {
			Contents []struct {
				Key  string
				Size int64
			}
			IsTruncated           bool
			NextContinuationToken string
		}
		err := s.do(ctx, call{method: http.MethodGet, query: query, take: func(answer *http.Response) error {
			text, err := io.ReadAll(io.LimitReader(answer.Body, mostAnswer))
			if err != nil {
				return fmt.Errorf("%w: %w", ErrUnavailable, err)
			}
			return xml.Unmarshal(text, &page)
		}})
		if err != nil {
			return err
		}
		for _, o := range page.Contents {
			name, is := strings.CutPrefix(o.Key, own)
			if !is {
				return fmt.Errorf("list s3://%s/%s: it tells %.200q", s.c.Bucket, own, o.Key)
			}
			if err := each(Object{Name: name, Size: o.Size}); err != nil {
				return err
			}
		}
		if !page.IsTruncated {
			return nil
		}
		if page.NextContinuationToken == "" || page.NextContinuationToken == query.Get("continuation-token") {
			return fmt.Errorf("list s3://%s/%s: it does not say how to go on", s.c.Bucket, own)
		}
		query.Set("continuation-token", page.NextContinuationToken)
	}
}
