package importer

// SplitCSV cuts one line of CSV.
func SplitCSV(line string) ([]string, error) { return splitCSV(line, nil) }

// JSON is a row as it is sent.
func (r *Row) JSON() string { return string(r.appendJSON(nil)) }

// Skip passes over lines up to and including the given one.
func (r *Reader) Skip(last int64) error { return r.skip(last) }

// Request is a batch's key and body.
type Request struct{ Key, Body string }

// Requests are all batches of a file.
func Requests(r *Reader, size int, sum string) ([]Request, error) {
	var all []Request
	for {
		b, err := readBatch(r, len(all), size)
		if b == nil || err != nil {
			return all, err
		}
		all = append(all, Request{b.key(sum), string(b.body())})
	}
}

// Backoff is the wait after an attempt.
var Backoff = backoff
