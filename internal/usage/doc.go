// Package usage tells what the product spends: by invocation as a line of
// CloudWatch's embedded metric format or as Prometheus text, and by day and
// function as counters in Redis that the daily schedule moves to an archive, where
// they are compared with Upstash's own figures.
//
// It knows invocations, their meters and who had them made, and the counters' one
// key a day and one a month, which package budget's guard learns from. It must not
// know boards, any route's meaning or SQL, and it links no database driver: the
// functions that take scores carry it.
//
// # Cost
//
// A process writes its counters with one command, at most every 5 minutes, and
// only once it has at least 100 commands to tell of: at most 1% of the bill; and
// once before its end, if it has 20. The command has at most 16 KB. The price of that is stated too: what is less,
// and what a process had not written when it crashed, is missing from the counters.
// Lines and Prometheus lose nothing.
//
// With a budget each write also adds to the month's total of its day, in the same
// round trip: 2 commands, 3 on the first write of a day, which reads the month's
// other days, and no more often than once for 100 commands each. A process that
// has 100 commands, too few to write, reads the month once. So a busy process
// knows what all had told at most 5 minutes ago, one that spends less, 200
// commands of its own ago.
package usage
