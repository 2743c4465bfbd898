package graph

import (
	"fmt"
	"strings"
	"testing"
)

func numbered(n int, format string) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, format, i)
	}
	return b.String()
}

// dear are the most expensive documents that are known. Each is near the limits
// of measure, and stresses one part of validation or execution.
func dear() map[string]string {
	four := func(s string) string { return strings.Repeat(s+" ", 4) }
	everyOperation := func(body string) string {
		return `query A { ...f } fragment f on Query ` + body + numbered(maxDefinitions-2, ` query q%d { ...f }`)
	}
	everyObject := func(inner string) string {
		return `query A { __schema { types { fields { type { fields { type { ` + inner + ` } } } } } } }`
	}
	leaves := four(`name description kind isOneOf specifiedByURL`)
	return map[string]string{
		"one name":                 `query A { ` + strings.Repeat(`__typename `, 498) + `}`,
		"four at each level":       `query A { __schema { queryType { ` + four(`ofType { `+four(`ofType { `+four(`ofType { `+four(`name`)+`}`)+`}`)+`}`) + `} } }`,
		"undefined fragments":      `query A { ` + numbered(450, `...f%d `) + `}`,
		"pairs of fragments":       `query A { ` + strings.Repeat(numbered(14, `...f%d `), 17) + `} ` + numbered(14, `fragment f%d on Query { __typename } `),
		"unknown types":            `query A { ` + strings.Repeat(`... on `+strings.Repeat(`a`, 600)+` { a } `, 100) + `}`,
		"unknown fields":           everyOperation(`{ ` + numbered(430, `n%d `) + `}`),
		"unknown arguments":        everyOperation(`{ getEncryptionMetricsSummary(` + numbered(280, `a%d: 1 `) + `) }`),
		"fields":                   everyOperation(`{ __schema { ` + strings.Repeat(`description `, 430) + `} }`),
		"arguments":                everyOperation(`{ getEncryptionMetricsSummary(` + strings.Repeat(`timeframeHours: 1 `, 280) + `) }`),
		"objects":                  everyOperation(`{ getEncryptionMetricsSummary(timeframeHours: {` + strings.Repeat(`a: 1 `, 280) + `}) }`),
		"lists":                    everyOperation(`{ getEncryptionMetricsSummary(timeframeHours: [` + strings.Repeat(`1 `, 860) + `]) }`),
		"deep lists":               everyOperation(`{ getEncryptionMetricsSummary(timeframeHours: ` + strings.Repeat(`[`, 420) + strings.Repeat(`]`, 420) + `) }`),
		"directives":               everyOperation(strings.Repeat(`@skip(if: true) `, 120) + `{ __typename }`),
		"variables":                `query A(` + numbered(150, `$a%d: Int `) + `) { getEncryptionMetricsSummary(timeframeHours: [` + numbered(150, `$a%d `) + `]) }`,
		"inline fragments":         `query A { ` + strings.Repeat(`... { `, 320) + `__typename` + strings.Repeat(` }`, 320) + `}`,
		"aliases at each object":   everyObject(leaves + numbered(maxAliases, `a%d: description `)),
		"fragments at each object": everyObject(leaves+strings.Repeat(`...e `, 150)) + ` fragment e on __Type { ofType { name } }`,
		"aliases of the types":     `query A { __schema { ` + numbered(maxObjects, `a%d: types { ...f } `) + `} } fragment f on __Type { fields { type { fields { ` + four(`name`) + `args { ` + four(`name description`) + `type { ` + leaves[:0] + `name } } } } } }`,
		"inlines at each object":   everyObject(leaves + strings.Repeat(`... { ofType { name } } `, 4) + strings.Repeat(`... { `, 250) + `__typename` + strings.Repeat(` }`, 250)),
	}
}

func BenchmarkDearDocuments(b *testing.B) {
	for name, query := range dear() {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			s := newStand(true)
			for b.Loop() {
				got := s.do(b, request(`{"operationName":"A","query":"`+query+`"}`))
				b.ReportMetric(float64(len(got.Text)), "answer-B/op")
			}
		})
	}
}
