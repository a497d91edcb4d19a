// Package replay plays one day of a real daily puzzle through the public API of a local
// product: as many players as reported a result, with the day's distribution of tries,
// spread over its 24 hours. Then it compares every rank with the plain model of package
// model.
//
// It knows the puzzle's statistics and the API. It must not know how the product computes
// ranks, nor how the product was started.
package replay
