package host

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// event holds the used fields of payload format 2.0, which HTTP APIs and Function URLs share:
// https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
type event struct {
	Version         string            `json:"version"`
	HTTPMethod      string            `json:"httpMethod"` // format 1.0 only
	RawPath         string            `json:"rawPath"`
	RawQueryString  string            `json:"rawQueryString"`
	Cookies         []string          `json:"cookies"`
	Headers         map[string]string `json:"headers"`
	Body            string            `json:"body"`
	IsBase64Encoded bool              `json:"isBase64Encoded"`
	RequestContext  *struct {
		DomainName string `json:"domainName"`
		RequestID  string `json:"requestId"`
		Stage      string `json:"stage"`
		HTTP       struct {
			Method   string `json:"method"`
			Protocol string `json:"protocol"`
			SourceIP string `json:"sourceIp"`
		} `json:"http"`
	} `json:"requestContext"`
}

var (
	errBadBody     = errors.New("the event says that its body is base64, and it is not")
	errTwiceHeader = errors.New("the event has a header twice: one of them would be lost")
)

// parseEvent returns an *EventError for anything that is not a request in payload
// format 2.0.
func parseEvent(payload []byte) (*event, error) {
	var e event
	if err := json.Unmarshal(payload, &e); err != nil {
		return nil, &EventError{"the event is not a JSON object in payload format 2.0: want an HTTP API or Function URL event"}
	}
	switch {
	case e.HTTPMethod != "" || e.Version == "1.0":
		return nil, &EventError{"the event is in payload format 1.0 (REST API or load balancer): set PayloadFormatVersion to 2.0, or use an HTTP API or a Function URL"}
	case e.RequestContext == nil:
		return nil, &EventError{"the event has no requestContext: want an HTTP API or Function URL event in payload format 2.0"}
	case e.Version != "2.0":
		return nil, &EventError{"the event does not say version 2.0: want an HTTP API or Function URL event in payload format 2.0"}
	case e.RequestContext.HTTP.Method == "":
		return nil, &EventError{"the event has no requestContext.http.method: want an HTTP API or Function URL event in payload format 2.0"}
	}
	return &e, nil
}

// request builds the http.Request that the event describes. The error is
// errBadBody or errTwiceHeader; the request is usable even then, with an empty
// body.
func (e *event) request(ctx context.Context) (*http.Request, error) {
	rc := e.RequestContext
	header := make(http.Header, len(e.Headers)+2)
	for name, value := range e.Headers {
		header.Add(name, value)
	}
	var bad error
	if len(header) < len(e.Headers) {
		bad = errTwiceHeader // their order is not known
	}
	if len(e.Cookies) > 0 {
		header.Set("Cookie", strings.Join(e.Cookies, "; "))
	}
	header.Set(requestIDHeader, cmp.Or(rc.RequestID, newRequestID()))
	host := header.Get("Host")
	header.Del("Host")
	if host == "" {
		host = rc.DomainName
	}

	target := e.target()
	req := &http.Request{
		Method:     rc.HTTP.Method,
		URL:        target,
		Proto:      "HTTP/1.1",
		ProtoMajor: 1,
		ProtoMinor: 1,
		Header:     header,
		Body:       http.NoBody,
		Host:       host,
		RemoteAddr: remoteAddr(rc.HTTP.SourceIP),
		RequestURI: target.RequestURI(),
	}
	if major, minor, ok := http.ParseHTTPVersion(rc.HTTP.Protocol); ok {
		req.Proto, req.ProtoMajor, req.ProtoMinor = rc.HTTP.Protocol, major, minor
	}
	req = req.WithContext(ctx)
	if bad != nil {
		return req, bad
	}
	body := e.Body
	if e.IsBase64Encoded {
		decoded, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			return req, errBadBody
		}
		body = string(decoded)
	}
	if body != "" {
		req.Body = io.NopCloser(strings.NewReader(body))
		req.ContentLength = int64(len(body))
	}
	return req, nil
}

// target is path and query as the client wrote them. It removes the stage's name, with which
// API Gateway begins each path of a named stage. Function URLs pass the path percent-encoded.
// HTTP APIs pass it decoded, so target encodes again the characters that an encoded path
// cannot contain, and leaves all others as they are.
func (e *event) target() *url.URL {
	raw := e.RawPath
	if stage := e.RequestContext.Stage; stage != "" && stage != "$default" {
		if rest, cut := strings.CutPrefix(raw, "/"+stage); cut && (rest == "" || rest[0] == '/') {
			raw = rest
		}
	}
	if !strings.HasPrefix(raw, "/") {
		raw = "/" + raw
	}
	raw = encodeLiterals(raw)
	path, err := url.PathUnescape(raw)
	if err != nil {
		path = raw
	}
	return &url.URL{Path: path, RawPath: raw, RawQuery: e.RawQueryString}
}

const hexDigits = "0123456789ABCDEF"

// encodeLiterals percent-encodes each byte that RFC 3986 does not allow in a path, and a %
// without two hexadecimal digits. It does not change an encoded path.
func encodeLiterals(path string) string {
	var b strings.Builder
	b.Grow(len(path))
	for i := 0; i < len(path); i++ {
		c := path[i]
		if c == '%' && i+2 < len(path) && isHex(path[i+1]) && isHex(path[i+2]) || c != '%' && allowedInPath(c) {
			b.WriteByte(c)
			continue
		}
		b.WriteByte('%')
		b.WriteByte(hexDigits[c>>4])
		b.WriteByte(hexDigits[c&15])
	}
	return b.String()
}

func allowedInPath(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
		strings.IndexByte("/-._~!$&'()*+,;=:@", c) >= 0
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}

// remoteAddr gives an IP address the form that net/http uses; the port is not
// known behind a gateway and is 0.
func remoteAddr(ip string) string {
	if ip == "" {
		return ""
	}
	return net.JoinHostPort(ip, "0")
}
