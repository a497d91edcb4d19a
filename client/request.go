package client

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
)

// maxAnswer bounds an answer, in bytes. The longest, a page of everything that is kept of a
// player, has some 4 MB.
const maxAnswer = 16 << 20

// Request is a request for [Client.Do].
type Request struct {
	Method string
	Path   string     // from /v1 on, before percent-encoding, without the query
	Query  url.Values // nil: none
	Header http.Header
	Body   []byte // JSON
}

// Answer is an answer of any status.
type Answer struct {
	Status int
	Header http.Header
	Body   []byte // at most 16 MiB
}

// Do sends a request once, with the credentials that its path requires, for routes that have
// no method here. An error means that no complete answer came, not that nothing happened; it
// is a [*NoAnswerError].
func (c *Client) Do(ctx context.Context, r Request) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, c.timeout)
	defer cancel()
	a, err := c.once(ctx, r)
	if err != nil {
		return Answer{}, &NoAnswerError{Method: r.Method, Path: r.Path, Attempts: 1, Err: err}
	}
	return a, nil
}

func (c *Client) once(ctx context.Context, r Request) (Answer, error) {
	response, err := c.send(ctx, r)
	if err != nil {
		return Answer{}, err
	}
	defer func() { _ = response.Body.Close() }() // the body has been read
	a := Answer{Status: response.StatusCode, Header: response.Header}
	a.Body, err = readAnswer(response)
	return a, err
}

// send sends a request and returns the answer, whose body the caller must close.
func (c *Client) send(ctx context.Context, r Request) (*http.Response, error) {
	target := c.base
	target.Path += r.Path
	target.RawQuery = r.Query.Encode()
	request := &http.Request{
		Method: r.Method, URL: &target, Host: target.Host, Header: c.header(r), ProtoMajor: 1, ProtoMinor: 1,
	}
	if r.Body != nil {
		request.ContentLength = int64(len(r.Body))
		request.Body = io.NopCloser(bytes.NewReader(r.Body))
		request.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(r.Body)), nil }
	}
	response, err := c.http.Do(request.WithContext(ctx))
	if err != nil {
		// The transport's error without the address: the query names players.
		var u *url.Error
		if errors.As(err, &u) {
			err = u.Err
		}
	}
	return response, err
}

// header returns the request's own headers, and its credentials.
func (c *Client) header(r Request) http.Header {
	header := http.Header{"Accept": {"application/json, application/problem+json"}}
	if r.Body != nil {
		header["Content-Type"] = []string{"application/json"}
	}
	for name, values := range r.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	operator, server := c.who(r.Path)
	if server && c.signingKey != "" {
		header["Framedle-Signature"] = []string{c.signature(r.Method, r.Path, r.Body)}
	}
	if operator && c.bearer != "" {
		header["Authorization"] = []string{c.bearer}
	}
	return header
}

var errTooLong = fmt.Errorf("the answer is longer than %d MiB", maxAnswer>>20)

func readAnswer(r *http.Response) ([]byte, error) {
	if r.ContentLength > maxAnswer {
		return nil, errTooLong
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxAnswer+1))
	if err == nil && len(body) > maxAnswer {
		err = errTooLong
	}
	return body, err
}

// signature makes the header Framedle-Signature: HMAC-SHA256 over the time, with v2 also
// method and path, and the body, separated by full stops. path begins at /v1, is not
// percent-encoded, and has no query.
func (c *Client) signature(method, path string, body []byte) string {
	t := strconv.FormatInt(c.now().Unix(), 10)
	mac := hmac.New(sha256.New, []byte(c.signingKey))
	mac.Write([]byte(t + "."))
	if c.scheme == "v2" {
		mac.Write([]byte(method + "." + path + "."))
	}
	mac.Write(body)
	return "t=" + t + "," + c.scheme + "=" + hex.EncodeToString(mac.Sum(nil))
}

// who returns which credentials a path needs: the operator's, a game server's, or none. Public
// routes carry no credential, so that caches may keep the answers. Scores carry both if the
// client has both, as the operator's import requires.
func (c *Client) who(path string) (operator, server bool) {
	switch {
	case strings.HasPrefix(path, "/v1/ops/"):
		return true, false
	case strings.HasPrefix(path, "/v1/scores"):
		return true, true
	case strings.HasPrefix(path, "/v1/duels"), strings.HasPrefix(path, "/v1/live/duels/"), path == "/v1/plays", path == "/v1/events", strings.HasPrefix(path, "/v1/me/wallets/"):
		return false, true
	}
	return false, false
}
