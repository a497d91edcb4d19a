package game

// Percentile is the share of players at or below a rank, in percent rounded to two decimals:
// 100*(total-rank+1)/total. The first of 4 has 100 and the last has 25. A rank outside
// 1..total counts as the nearest one inside, and an empty board has 0.
func Percentile(rank, total int64) float64 {
	if total < 1 {
		return 0
	}
	return share(total-within(rank, total)+1, total)
}

// TopPercent is the x of "top x%", in percent rounded to two decimals:
// 100*rank/total, with the same limits as [Percentile].
func TopPercent(rank, total int64) float64 {
	if total < 1 {
		return 0
	}
	return share(within(rank, total), total)
}

func within(rank, total int64) int64 { return min(max(rank, 1), total) }

// share is 100*part/total in hundredths, halves rounded up. It computes in integers, so that
// every machine and every test gets the same. Totals stay below 2^48.
func share(part, total int64) float64 {
	return float64((2*10_000*part+total)/(2*total)) / 100
}
