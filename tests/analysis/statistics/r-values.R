# SPDX-License-Identifier: Apache-2.0
# Prints r-values.txt: what R 4.2.2 says at points where plain formulas fail. Rscript r-values.R >r-values.txt
# A line is NAME ARGUMENT... = VALUE...; test_statistics.c reads it.
line <- function(...) cat(..., "\n", sep = " ")
number <- function(x) sprintf("%.17g", x)
for (case in list(c(0, 1e6), c(0, 1), c(1, 1), c(1, 2), c(3, 3), c(3, 1e6), c(3, 1e9), c(10, 1e8), c(1000, 1e9), c(1, 1e12),
                  c(3, 1e12), c(999, 1000), c(1e12 - 3, 1e12), c(5e11, 1e12), c(123456789, 1e12), c(1000, 2000),
                  c(1500, 1e6), c(999, 1e6), c(1e6 - 999, 1e6), c(7, 20), c(333333, 1e6), c(1e12, 1e12), c(0, 1e12),
                  c(1, 1e9), c(2, 1e9), c(30, 1e10), c(12, 1e13), c(3, 1e15), c(1e12, 1e12 + 7), c(1e12, 2e12),
                  c(1e12, 1e15), c(1e12 - 1, 1e12), c(99999, 1e12), c(4503599627370496, 9007199254740992)))
    for (confidence in c(0.95, 0.99999)) {
        a <- (1 - confidence) / 2
        k <- case[1]; n <- case[2]
        low <- if (k == 0) 0 else if (n == k) a^(1 / n) else qbeta(a, k, n - k + 1)
        high <- if (k == n) 1 else if (k == 0) -expm1(log(a) / n) else qbeta(a, k + 1, n - k, lower.tail = FALSE)
        line("binomial", number(k), number(n), confidence, "=", number(low), number(high))
    }
for (p in c(0.5, 0.4, 0.3999, 0.025, 1e-3, 1e-9, 1e-100, 0.975))
    line("normal", number(p), "=", number(qnorm(p, lower.tail = FALSE)))
# Samples: counts per batch of equal size, A then B.
samples <- list(
    few = list(c(1, 2, 3, 4, 5), c(6, 7, 8, 9, 11)),
    small = list(c(12, 7, 30, 4), c(19, 55, 8, 41, 13)),
    even = list(c(101, 305, 220, 87, 640, 33, 410, 93, 150, 71, 502, 11), c(131, 295, 250, 77, 840, 43, 390, 103, 180, 91, 702, 21)),
    large = list((1:60)^2 %% 97 + (1:60) / 64 * 64, (1:60)^3 %% 101 + 20),
    ties = list(rep(c(0, 0, 1, 2, 0, 3, 0, 5), 8), rep(c(0, 1, 1, 2, 4, 3, 0, 7), 8)))
for (name in names(samples)) {
    a <- samples[[name]][[1]]; b <- samples[[name]][[2]]
    tied <- anyDuplicated(c(a, b)) > 0
    exact <- length(a) + length(b) <= 40 && !tied
    p <- suppressWarnings(wilcox.test(b, a, exact = exact, correct = TRUE)$p.value)
    line("ranksum", name, exact + 0, length(a), length(b), number(a), number(b), "=", number(p))
    if (length(a) != length(b)) next
    d <- (b - a) / sqrt(a + b) # what a pair is ranked by
    d <- d[!is.nan(d) & d != 0]
    exact <- length(d) <= 50 && !anyDuplicated(abs(d))
    if (!exact && length(d) <= 50) next
    p <- suppressWarnings(wilcox.test(d, exact = exact, correct = TRUE)$p.value)
    line("signedrank", name, exact + 0, length(a), length(b), number(a), number(b), "=", number(p))
}
p <- c(0.01, 0.04, 0.03, 0.005, 0.2, 0.005, 1e-9, 0.9)
line("holm", length(p), number(p), "=", number(p.adjust(p, "holm")))
weighted <- function(p, w) { # Holm 1979, in the words of its definition
    sapply(seq_along(p), function(j) max(sapply(which(p / w <= p[j] / w[j]), function(i)
        min(1, p[i] / w[i] * sum(w[p / w >= p[i] / w[i]])))))
}
w <- c(20, 1, 20, 1, 3, 20, 1, 7)
line("weighted-holm", length(p), number(p), number(w), "=", number(weighted(p, w)))
for (freedom in c(1, 2, 3, 4, 5.5, 12, 23.7, 1000)) {
    for (p in c(0.5, 0.4, 0.025, 5e-4, 1e-6, 1e-12))
        line("student-above", number(p), freedom, "=", number(qt(p, freedom, lower.tail = FALSE)))
    for (t in c(0.1, 1, 3.5, 40, 1e4))
        line("student-tail", number(t), freedom, "=", number(pt(t, freedom, lower.tail = FALSE)))
}
