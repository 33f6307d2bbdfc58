import type { Labelled, Metrics } from '@icosa/kernel'

/** Upper bounds of the buckets of histograms: a threshold of an objective is one of them. */
export const bucketsSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** Metrics in Prometheus's text format. */
export function createMetrics(): Metrics {
  const requests = histograms('icosa_request_duration_seconds', 'How long requests took, by operation and status.')
  const jobs = histograms('icosa_job_duration_seconds', 'How long jobs took, by job and outcome.')
  const others: { readonly type: 'counter' | 'gauge'; readonly figure: Parameters<Metrics['gauge']> }[] = []

  return {
    operation(service, operation) {
      const byStatus = new Map<number, Histogram>()
      return {
        add(status, durationMs) {
          let histogram = byStatus.get(status)
          if (!histogram) {
            histogram = requests.of({ service, operation, status: String(status) })
            byStatus.set(status, histogram)
          }
          histogram.add(durationMs / 1000)
        },
      }
    },
    job: (service, job, outcome, durationMs) => jobs.of({ service, job, outcome }).add(durationMs / 1000),
    counter: (...figure) => void others.push({ type: 'counter', figure }),
    gauge: (...figure) => void others.push({ type: 'gauge', figure }),
    text: () =>
      [
        requests.text(),
        jobs.text(),
        ...others.map(
          ({ type, figure: [name, help, read] }) =>
            `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${valuesOf(name, read())}`,
        ),
      ].join(''),
  }
}

function valuesOf(name: string, value: number | readonly Labelled[]): string {
  if (typeof value === 'number') return `${name} ${value}\n`
  return value.map((sample) => `${name}{${labelText(sample.labels)}} ${sample.value}\n`).join('')
}

const labelText = (labels: Readonly<Record<string, string>>) =>
  Object.entries(labels)
    .map(([label, value]) => `${label}="${value.replace(/["\\\n]/g, (character) => escapes[character] as string)}"`)
    .join(',')

/** Escape sequences for label values in Prometheus's text format. */
const escapes: Readonly<Record<string, string>> = { '"': '\\"', '\\': '\\\\', '\n': '\\n' }

interface Histogram {
  add(seconds: number): void
  lines(): string[]
}

function histograms(name: string, help: string) {
  const all = new Map<string, Histogram>()
  return {
    of(labels: Readonly<Record<string, string>>): Histogram {
      const text = labelText(labels)
      let histogram = all.get(text)
      if (!histogram) {
        histogram = createHistogram(name, text)
        all.set(text, histogram)
      }
      return histogram
    },
    text() {
      const lines = [...all.values()].flatMap((histogram) => histogram.lines())
      return [`# HELP ${name} ${help}`, `# TYPE ${name} histogram`, ...lines, ''].join('\n')
    },
  }
}

function createHistogram(name: string, labels: string): Histogram {
  const counts = new Array<number>(bucketsSeconds.length + 1).fill(0)
  let sum = 0
  return {
    add(seconds) {
      let bucket = 0
      while (bucket < bucketsSeconds.length && seconds > (bucketsSeconds[bucket] as number)) bucket++
      counts[bucket] = (counts[bucket] as number) + 1
      sum += seconds
    },
    lines() {
      let total = 0
      const buckets = counts.map((count, index) => {
        total += count
        return `${name}_bucket{${labels},le="${bucketsSeconds[index] ?? '+Inf'}"} ${total}`
      })
      return [...buckets, `${name}_sum{${labels}} ${sum}`, `${name}_count{${labels}} ${total}`]
    },
  }
}
