package coldstorage

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/feature/s3/transfermanager"
	"github.com/aws/aws-sdk-go-v2/service/s3"
)

// Config is a bucket, and where its address and the rights to it come from: AWS_ACCESS_KEY_ID,
// AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION (or AWS_DEFAULT_REGION),
// AWS_ENDPOINT_URL_S3 (or AWS_ENDPOINT_URL). What the variables do not say is found as AWS' own
// tools find it: profiles, single sign-on, the role of the machine.
// https://docs.aws.amazon.com/sdkref/latest/guide/standardized-credentials.html
type Config struct {
	Bucket, Prefix string
	Getenv         func(string) string
	Client         func(*s3.Options) // changes the client; nil: nothing
}

// S3 is a bucket. It is safe for concurrent use.
type S3 struct {
	bucket, prefix string
	client         *s3.Client
	uploads        *transfermanager.Client
}

const (
	mostTries = 4
	// parallelParts is how many parts of a large file are sent at once: parts are kept in memory.
	parallelParts = 2
)

// NewS3 makes a store of a bucket. It asks nobody for the bucket, but it may ask for rights.
func NewS3(ctx context.Context, c Config) (*S3, error) {
	if c.Bucket == "" {
		return nil, errors.New("missing bucket: use s3://bucket/prefix")
	}
	endpoint := ""
	if c.Getenv("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") != "true" {
		endpoint = cmp.Or(c.Getenv("AWS_ENDPOINT_URL_S3"), c.Getenv("AWS_ENDPOINT_URL"))
	}
	with := []func(*config.LoadOptions) error{config.WithHTTPClient(awshttp.NewBuildableClient()), config.WithRetryMaxAttempts(mostTries)}
	if region := cmp.Or(c.Getenv("AWS_REGION"), c.Getenv("AWS_DEFAULT_REGION")); region != "" {
		with = append(with, config.WithRegion(region))
	}
	if id := c.Getenv("AWS_ACCESS_KEY_ID"); id != "" {
		with = append(with, config.WithCredentialsProvider(credentials.NewStaticCredentialsProvider(id, c.Getenv("AWS_SECRET_ACCESS_KEY"), c.Getenv("AWS_SESSION_TOKEN"))))
	}
	known, err := config.LoadDefaultConfig(ctx, with...)
	if err != nil {
		return nil, fmt.Errorf("read the settings of AWS: %w", err)
	}
	if known.Region == "" {
		return nil, errors.New("the bucket's region is not known: set AWS_REGION, or name one in your profile")
	}
	if _, err := known.Credentials.Retrieve(ctx); err != nil {
		return nil, fmt.Errorf("no credentials for the bucket: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE: %w", err)
	}
	client := s3.NewFromConfig(known, func(o *s3.Options) {
		o.HTTPClient = direct(known)
		if endpoint != "" {
			o.BaseEndpoint = &endpoint
		}
		// Endpoints other than AWS' own have no host names for buckets, and no certificate covers
		// bucket names with dots.
		o.UsePathStyle = o.BaseEndpoint != nil || strings.Contains(c.Bucket, ".")
		// Not every service with this API knows the newer checksums. Each request is signed with
		// the hash of its body.
		o.RequestChecksumCalculation = aws.RequestChecksumCalculationWhenRequired
		o.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired
		if c.Client != nil {
			c.Client(o)
		}
	})
	if at := client.Options().BaseEndpoint; at != nil && !safe(*at) {
		return nil, fmt.Errorf("AWS_ENDPOINT_URL_S3 is %.200q: use an https URL, or an http one of this machine such as http://127.0.0.1:9000", *at)
	}
	uploads := transfermanager.New(client, func(o *transfermanager.Options) {
		o.Concurrency, o.RequestChecksumCalculation = parallelParts, aws.RequestChecksumCalculationWhenRequired
	})
	return &S3{c.Bucket, c.Prefix, client, uploads}, nil
}

// direct is a client that follows no redirect: that would hand the session's token to another
// host. It has no time limit for a whole answer, since files may be large.
func direct(known aws.Config) *http.Client {
	transport := awshttp.NewBuildableClient()
	if set, ok := known.HTTPClient.(*awshttp.BuildableClient); ok { // with the certificates of AWS_CA_BUNDLE
		transport = set
	}
	return &http.Client{
		Transport:     transport.GetTransport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// safe reports whether nobody else can read what is sent to an endpoint.
func safe(endpoint string) bool {
	u, err := url.Parse(endpoint)
	if err != nil || u.Host == "" {
		return false
	}
	at, _ := netip.ParseAddr(u.Hostname())
	return u.Scheme == "https" || u.Scheme == "http" && (u.Hostname() == "localhost" || at.IsLoopback())
}

// key returns a file's key in the bucket.
func (s *S3) key(name string) *string {
	if s.prefix != "" {
		name = s.prefix + "/" + name
	}
	return &name
}

// failed says what was done, and which kind of error it is.
func (s *S3) failed(verb, name string, err error) error {
	if err == nil {
		return nil
	}
	status := 0 // there was no answer
	if answer, ok := errors.AsType[*awshttp.ResponseError](err); ok {
		status = answer.HTTPStatusCode()
	}
	var kind error
	switch {
	case errors.Is(err, errChanged), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
	case status == http.StatusNotFound:
		kind = ErrNotFound
	case status == 0, status >= http.StatusInternalServerError, status == http.StatusTooManyRequests, status == http.StatusRequestTimeout:
		kind = ErrUnavailable
	}
	if kind == nil {
		return fmt.Errorf("%s s3://%s/%s: %w", verb, s.bucket, *s.key(name), err)
	}
	return fmt.Errorf("%s s3://%s/%s: %w: %w", verb, s.bucket, *s.key(name), kind, err)
}

// Head implements [Store].
func (s *S3) Head(ctx context.Context, name string) (Object, error) {
	answer, err := s.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &s.bucket, Key: s.key(name)})
	if err != nil {
		return Object{}, s.failed("HEAD", name, err)
	}
	o := Object{Name: name, Size: aws.ToInt64(answer.ContentLength), Words: map[string]string{}}
	for word, text := range answer.Metadata {
		o.Words[strings.ToLower(word)] = text
	}
	return o, nil
}

// errChanged is returned for content that is not what its size and hash say.
var errChanged = errors.New("the content is not what its size and hash say")

// checked reads content, and fails at its end if it is not what it should be.
type checked struct {
	Content
	read int64
	sum  hash.Hash
}

func (c *checked) Read(p []byte) (int, error) {
	n, err := c.Body.Read(p)
	c.read += int64(n)
	_, _ = c.sum.Write(p[:n]) // a hash never fails
	if err == io.EOF && (c.read != c.Size || hex.EncodeToString(c.sum.Sum(nil)) != c.SHA256) {
		err = errChanged
	}
	return n, err
}

// Put implements [Store]. A large file is sent in parts, and is there once all of them are. A
// request that is cut off leaves nothing.
func (s *S3) Put(ctx context.Context, name string, c Content, words map[string]string) error {
	if _, err := c.Body.Seek(0, io.SeekStart); err != nil {
		return err
	}
	_, err := s.uploads.UploadObject(ctx, &transfermanager.UploadObjectInput{
		Bucket: &s.bucket, Key: s.key(name), Body: &checked{Content: c, sum: sha256.New()}, ContentLength: &c.Size, Metadata: words,
	})
	return s.failed("PUT", name, err)
}

// Get implements [Store]. If an answer breaks off, Get asks again, provided that w can be
// emptied, as a file can.
func (s *S3) Get(ctx context.Context, name string, w io.Writer) error {
	for try := 1; ; try++ {
		answer, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &s.bucket, Key: s.key(name)})
		if err != nil {
			return s.failed("GET", name, err)
		}
		n, err := io.Copy(w, answer.Body)
		_ = answer.Body.Close()
		if err == nil && answer.ContentLength != nil && n != *answer.ContentLength {
			err = io.ErrUnexpectedEOF
		}
		if err == nil {
			return nil
		}
		err = fmt.Errorf("after %d bytes: %w", n, err)
		if file, can := w.(emptied); !can || try == mostTries || ctx.Err() != nil || file.Empty() != nil {
			return s.failed("GET", name, err)
		}
	}
}

// emptied is a writer that can begin again.
type emptied interface{ Empty() error }

// List implements [Store].
func (s *S3) List(ctx context.Context, prefix string, each func(Object) error) error {
	own := *s.key("")
	pages := s3.NewListObjectsV2Paginator(s.client, &s3.ListObjectsV2Input{Bucket: &s.bucket, Prefix: s.key(prefix)}, func(o *s3.ListObjectsV2PaginatorOptions) {
		o.StopOnDuplicateToken = true
	})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return s.failed("LIST", prefix, err)
		}
		for _, o := range page.Contents {
			name, is := strings.CutPrefix(aws.ToString(o.Key), own)
			if !is {
				return fmt.Errorf("list s3://%s/%s: unexpected answer %.200q", s.bucket, own, aws.ToString(o.Key))
			}
			if err := each(Object{Name: name, Size: aws.ToInt64(o.Size)}); err != nil {
				return err
			}
		}
	}
	return nil
}
