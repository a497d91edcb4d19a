package upstash

import (
	"bytes"
	"crypto/x509"
	"io"
)

// Decode is the parser alone; count is -1 for a single command's answer.
func Decode(body []byte, count int) (Reply, error) {
	d := new(reader)
	if err := d.fill(bytes.NewReader(body), int64(len(body))); err != nil {
		return Reply{}, err
	}
	return d.decode(count)
}

// DecodeText is Decode of an answer whose strings are as they are.
func DecodeText(body []byte, count int) (Reply, error) {
	d := &reader{asText: true}
	if err := d.fill(bytes.NewReader(body), int64(len(body))); err != nil {
		return Reply{}, err
	}
	return d.decode(count)
}

// Decoder is Decode with the reader kept, as a client keeps it.
func Decoder() func(body []byte, count int) (Reply, error) {
	d := new(reader)
	src := new(bytes.Reader)
	return func(body []byte, count int) (Reply, error) {
		defer func() {
			if !d.release() {
				d = new(reader)
			}
		}()
		src.Reset(body)
		if err := d.fill(src, int64(len(body))); err != nil {
			return Reply{}, err
		}
		return d.decode(count)
	}
}

// EncodePipeline is the request body of a pipeline alone.
func EncodePipeline(b []byte, cmds []Command) ([]byte, error) {
	whole := body{bytes: b}
	if err := whole.encode(request{op: opPipeline, cmds: cmds}); err != nil {
		return nil, err
	}
	return whole.bytes, nil
}

const (
	MaxAnswer  = maxAnswer
	MaxDepth   = maxDepth
	MaxValues  = maxValues
	KeptValues = keptValues
)

// Events reads a stream to its end or first error and returns the data of each
// event.
func Events(r io.Reader, limit int) ([]string, error) {
	s := newSSE(r, limit)
	var all []string
	for {
		data, err := s.next()
		if err != nil {
			return all, err
		}
		all = append(all, string(data))
	}
}

// ParseFrame is one event's data read for these names.
func ParseFrame(data string, names ...string) (kind string, m Message, ok bool) {
	f, ok := parseFrame(data, names)
	return f.kind, f.message, ok
}

var ErrTooLong = errTooLong

// LimitRequests stands in for MaxRequest, so that tests need not send megabytes.
func LimitRequests(c *Client, bytes int) { c.maxRequest = bytes }

// Trust has a client's own connections take certificates that these have signed.
func Trust(c *Client, roots *x509.CertPool) { c.direct.tls.RootCAs = roots }

// LongestDirect is the longest body that goes over a client's own connections.
const LongestDirect = longestDirect

// Idle is how many of a client's own connections wait for a call.
func Idle(c *Client) int {
	c.direct.mu.Lock()
	defer c.direct.mu.Unlock()
	return len(c.direct.idle)
}

// Direct reports whether a client has connections of its own.
func Direct(c *Client) bool { return c.direct != nil }
