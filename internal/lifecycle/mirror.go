package lifecycle

import "context"

// Mirror is one kind of what both Redis and Postgres keep of players besides boards. Functions
// that a kind does not need are nil.
type Mirror struct {
	Name string
	Late bool // entries reach Postgres when a day closes, not as they happen

	// Page brings one page of Redis to Postgres, beginning at a cursor, and returns the number of
	// entries read. The cursor "" is the beginning, and next "" the end.
	Page func(ctx context.Context, cursor string) (next string, entries int, err error)
	// Finish completes the kind after its pages, and reports whether it is complete; if not, the
	// kind is brought once more.
	Finish func(ctx context.Context, first bool) (bool, error)
	// Compare fills in what each side has.
	Compare func(ctx context.Context, redis, postgres Entries) error
	// Verify compares what follows from the entries.
	Verify func(ctx context.Context, c *Comparison) error
	// Lacks describes what Redis has and Postgres lacks besides what Compare finds; "": nothing.
	Lacks func(ctx context.Context) (string, error)
	// Restore puts back what Redis has lost, and returns what it did for the report of the
	// restore; nil: nothing to report. A dry run changes nothing.
	Restore func(ctx context.Context, dryRun bool) (did any, err error)
}

// Entries are the entries of one side: names by ids.
type Entries map[string]string

// EachPage calls each with every entry of a list that is read page by page.
func EachPage[T any](ctx context.Context, page func(ctx context.Context, cursor string) ([]T, string, error), each func(T)) error {
	for cursor := ""; ; {
		some, next, err := page(ctx, cursor)
		if err != nil {
			return err
		}
		for _, one := range some {
			each(one)
		}
		if cursor = next; next == "" {
			return nil
		}
	}
}
