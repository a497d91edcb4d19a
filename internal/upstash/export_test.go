package upstash

import "bytes"

// Decode is the parser alone; count is -1 for a single command's answer.
func Decode(body []byte, count int) (Reply, error) {
	d := new(reader)
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
		defer d.release()
		src.Reset(body)
		if err := d.fill(src, int64(len(body))); err != nil {
			return Reply{}, err
		}
		return d.decode(count)
	}
}

// EncodePipeline is the request body of a pipeline alone.
func EncodePipeline(b []byte, cmds []Command) ([]byte, error) {
	b, err := appendBody(b, request{op: opPipeline, cmds: cmds})
	if err != nil {
		return nil, err
	}
	return b, nil
}

const (
	MaxAnswer = maxAnswer
	MaxDepth  = maxDepth
	MaxValues = maxValues
)
