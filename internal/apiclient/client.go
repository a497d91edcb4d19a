// Package apiclient calls the product over HTTP as its game server or its
// operator does: it signs requests, adds the operator's token and hands back
// answers whole.
//
// It knows credentials and transport. It must not know what any answer means,
// and it never repeats a call: whether that is safe is the caller's to judge.
package apiclient

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/framedle/leaderboards/internal/auth"
)

// maxAnswer bounds an answer in bytes: a batch of 1,000 scores is answered
// with some 400 KB.
const maxAnswer = 16 << 20

// idleConnections is how many connections are kept open between calls.
const idleConnections = 64

// Config says whom to call, and as whom.
type Config struct {
	// URL is the product's address, without /v1. Unencrypted http is taken for
	// this machine only, since credentials travel with every call.
	URL string
	// SigningKey signs every request with a body; empty for a client that only reads.
	SigningKey string
	// OpsToken goes along as a bearer token; empty for a plain game server.
	OpsToken string
	// Transport carries the calls; nil for one of the client's own.
	Transport http.RoundTripper
	// Now gives signatures their time; nil for the machine's clock.
	Now func() time.Time
}

// Client is safe for concurrent use.
type Client struct {
	base       url.URL
	signingKey string
	bearer     string
	http       *http.Client
	now        func() time.Time
}

// Answer is what came back, whatever its status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // at most 16 MiB
}

// New makes a client. It refuses an address that is not an http URL, or that
// would send credentials over a network in the clear.
func New(c Config) (*Client, error) {
	base, err := url.Parse(c.URL)
	if err != nil || base.Host == "" || base.Scheme != "http" && base.Scheme != "https" {
		return nil, fmt.Errorf("the address %q is not a URL such as https://api.example.com", c.URL)
	}
	if base.Scheme == "http" && !loopback(base.Hostname()) {
		return nil, fmt.Errorf("the address %q would carry secrets unencrypted; use https", c.URL)
	}
	client := &Client{
		base:       url.URL{Scheme: base.Scheme, Host: base.Host, Path: strings.TrimSuffix(base.Path, "/")},
		signingKey: c.SigningKey,
		now:        c.Now,
		http:       &http.Client{Transport: c.Transport, CheckRedirect: keepRedirect},
	}
	if c.OpsToken != "" {
		client.bearer = "Bearer " + c.OpsToken
	}
	if client.now == nil {
		client.now = time.Now
	}
	if c.Transport == nil {
		transport := http.DefaultTransport.(*http.Transport).Clone()
		transport.MaxIdleConnsPerHost = idleConnections
		client.http.Transport = transport
	}
	return client, nil
}

// Target names the product that is called: its address and signing key, as a
// digest that tells neither. A local product is another one after each start.
func (c *Client) Target() string {
	sum := sha256.Sum256([]byte(c.base.String() + "\x00" + c.signingKey))
	return hex.EncodeToString(sum[:8])
}

// IsLocal reports whether the product is on this machine.
func (c *Client) IsLocal() bool { return loopback(c.base.Hostname()) }

// keepRedirect hands a redirect back as an answer: following it would take
// the credentials to an address nobody gave.
func keepRedirect(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}

// Close lets go of idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Post sends a JSON body to a path that begins with /v1, signed. More headers may go along; nil for none. An
// error means that no whole answer came back, not that nothing happened.
func (c *Client) Post(ctx context.Context, path string, body []byte, more http.Header) (Answer, error) {
	header := http.Header{"Content-Type": {"application/json"}}
	for name, values := range more {
		header[name] = values
	}
	if c.signingKey != "" {
		header["Framedle-Signature"] = []string{auth.SignRequest(c.signingKey, c.now(), auth.Request{Method: http.MethodPost, Path: path, Body: body})}
	}
	return c.call(ctx, http.MethodPost, path, "", header, body)
}

// Get reads a path; query is without the question mark.
func (c *Client) Get(ctx context.Context, path, query string) (Answer, error) {
	return c.call(ctx, http.MethodGet, path, query, http.Header{}, nil)
}

func (c *Client) call(ctx context.Context, method, path, query string, header http.Header, body []byte) (Answer, error) {
	target := c.base
	target.Path += path
	target.RawQuery = query
	if c.bearer != "" {
		header["Authorization"] = []string{c.bearer}
	}
	request := &http.Request{Method: method, URL: &target, Host: target.Host, Header: header, ProtoMajor: 1, ProtoMinor: 1}
	if body != nil {
		request.ContentLength = int64(len(body))
		request.Body = io.NopCloser(bytes.NewReader(body))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	}
	response, err := c.http.Do(request.WithContext(ctx))
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }() // what matters has been read
	answer := Answer{Status: response.StatusCode, Header: response.Header}
	answer.Body, err = readAnswer(response)
	return answer, err
}

func readAnswer(r *http.Response) ([]byte, error) {
	if r.ContentLength > maxAnswer {
		return nil, errors.New("the answer is longer than 16 MiB")
	}
	if r.ContentLength >= 0 {
		body := make([]byte, r.ContentLength)
		_, err := io.ReadFull(r.Body, body)
		return body, err
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = errors.New("the answer is longer than 16 MiB")
	}
	return body, err
}
