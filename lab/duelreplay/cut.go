package duelreplay

import (
	"errors"
	"math/rand/v2"
	"net/http"
)

// ErrCut is the error of a request that was cut on purpose.
var ErrCut = errors.New("the connection was cut on purpose")

// Cut is a transport that loses a share of the requests: half of these before they are
// sent, half after the product has answered.
type Cut struct {
	Percent int // 0 to 90
	To      http.RoundTripper
}

// RoundTrip sends the request, or returns ErrCut.
func (c Cut) RoundTrip(r *http.Request) (*http.Response, error) {
	n := rand.IntN(200)
	if n < c.Percent {
		return nil, ErrCut
	}
	response, err := c.To.RoundTrip(r)
	if err == nil && n < 2*c.Percent {
		_ = response.Body.Close() // nobody reads it
		return nil, ErrCut
	}
	return response, err
}
