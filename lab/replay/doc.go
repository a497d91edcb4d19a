// Package replay plays one day of a real daily puzzle through the public API
// of a local product: as many players as reported a result, with the day's
// distribution of tries, spread over its 24 hours. Then it holds every rank
// against the plain model of package model.
//
// It knows the puzzle's statistics and the API. It must not know how the product
// computes ranks, nor how it was started.
package replay
