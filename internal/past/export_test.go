package past

// Small has an import sort and write in parts of some lines.
func Small(o Options) Options {
	o.sortSize, o.pageSize = 100, 3
	return o
}
