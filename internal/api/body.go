package api

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strconv"
	"unicode/utf8"
)

// How large a body may be.
const (
	maxBody  = 64 << 10
	maxBatch = 1 << 20
)

// readBody reads a whole JSON body of at most limit bytes.
func readBody(w http.ResponseWriter, r *http.Request, limit int64) ([]byte, error) {
	if kind := r.Header.Get("Content-Type"); kind != "" {
		media, _, err := mime.ParseMediaType(kind)
		if err != nil || media != "application/json" {
			return nil, wrongMediaType()
		}
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, limit))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, tooLarge(limit)
	case err != nil:
		return nil, badRequest("the body could not be read to its end")
	case !utf8.Valid(body):
		return nil, badRequest("the body is not UTF-8")
	}
	return body, nil
}

func sizeText(limit int64) string {
	if limit >= 1<<20 {
		return strconv.FormatInt(limit>>20, 10) + " MiB"
	}
	return strconv.FormatInt(limit>>10, 10) + " KiB"
}

// emptyBody reads a body that has nothing to say.
func emptyBody(w http.ResponseWriter, r *http.Request) error {
	if r.ContentLength == 0 {
		return nil
	}
	body, err := readBody(w, r, maxBody)
	if err != nil || len(body) == 0 {
		return err
	}
	return object(body, "").done()
}
