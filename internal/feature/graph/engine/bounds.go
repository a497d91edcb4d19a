package engine

import (
	"context"
	"errors"
	"fmt"

	graphql "github.com/graph-gophers/graphql-go"
	gqlerrors "github.com/graph-gophers/graphql-go/errors"

	"github.com/framedle/leaderboards/internal/feature/graph"
)

// Bounds of the work on a query before anything is read, in addition to those of package api.
const (
	// overlaps is how many pairs of fields are checked for conflicts: somewhat more than the
	// pairs of as many fields as a query may have.
	overlaps = graph.MostFields * graph.MostFields

	// mostErrors is how many errors one answer lists.
	mostErrors = 10
)

// shownError is an error as the answer has it.
type shownError struct {
	Message    string               `json:"message"`
	Locations  []gqlerrors.Location `json:"locations,omitempty"`
	Path       []any                `json:"path,omitempty"`
	Extensions map[string]any       `json:"extensions"`
}

func shownErrorOf(p graph.Problem) shownError {
	return shownError{Message: p.Error(), Extensions: p.Extensions()}
}

// shownErrors are the first errors of the library and of resolvers.
func shownErrors(all []*gqlerrors.QueryError) []shownError {
	var errs []shownError
	for _, err := range all[:min(len(all), mostErrors)] {
		t := shownError{err.Message, err.Locations, err.Path, err.Extensions}
		switch {
		case t.Extensions != nil: // a resolver's error, or a panic's
		case isBound(err):
			t.Extensions = graph.TooMuch("").Extensions()
		default:
			t.Extensions = graph.NotValid("").Extensions()
		}
		errs = append(errs, t)
	}
	return errs
}

// isBound reports whether an error of the library says that one of its bounds was exceeded.
func isBound(err *gqlerrors.QueryError) bool {
	return err.Rule == "MaxDepthExceeded" || err.Rule == "OverlapValidationLimitExceeded" || errors.Is(err, graphql.ErrTooManySelections)
}

// rows checks how many rows a query asks of a list.
func rows(first int32, most int) (int, error) {
	switch {
	case first < 1:
		return 0, graph.NotValid(fmt.Sprintf("first is %d; it must be 1 or more", first))
	case int(first) > most:
		return 0, graph.TooMuch(fmt.Sprintf("first is %d; it must be at most %d", first, most))
	}
	return int(first), nil
}

// panics keeps the details of a panic from the caller; the log has them.
type panics struct{}

func (panics) MakePanicError(ctx context.Context, value any) *gqlerrors.QueryError {
	err := readsOf(ctx).Failed(fmt.Errorf("a resolver panicked: %v", value))
	made := gqlerrors.Errorf("%s", err)
	if p, ok := errors.AsType[graph.Problem](err); ok {
		made.Extensions = p.Extensions()
	}
	return made
}

// silence keeps the library from logging panics, because panics logs them.
type silence struct{}

func (silence) LogPanic(context.Context, any) {}
