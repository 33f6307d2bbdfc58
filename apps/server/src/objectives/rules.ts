import { excluded, type Objectives } from './objectives.ts'

/** The windows that the alerts in deploy/prometheus/alerts.yaml compare. */
const windows = ['5m', '30m', '1h', '2h', '6h', '1d', '3d']
const countedOperations = `operation!~"${excluded.join('|')}"`

interface Rule {
  readonly record: string
  readonly expr: string
}

/**
 * Prometheus recording rules: for each service and window the number of requests, of errors and of slow requests, and
 * the burn rates of both budgets: 1 uses a budget up in exactly 30 days.
 */
export function rulesOf({ availability, latency }: Objectives): Rule[] {
  const allowedErrors = classesOf(availability)
  const allowedSlow = classesOf(latency)
  return windows.flatMap((window) => {
    const count = (matchers: readonly string[], series = 'count') =>
      `sum by (service) (increase(icosa_request_duration_seconds_${series}{${[...matchers, countedOperations].join(',')}}[${window}]))`
    const slow = allowedSlow.map(
      ({ matchers, seconds }) => `${count(matchers)} - ${count([`le="${seconds}"`, ...matchers], 'bucket')}`,
    )
    const burnRate = (kind: string, classes: ReturnType<typeof classesOf>) => {
      const used = classes.map(({ matchers, budget }) => `icosa:${kind}:count${window}{${matchers}} / ${budget}`)
      return `(${used.join(' or ')}) / icosa:requests:count${window}`
    }
    return [
      { record: `icosa:requests:count${window}`, expr: count([]) },
      { record: `icosa:errors:count${window}`, expr: count(['status=~"5.."']) },
      { record: `icosa:slow:count${window}`, expr: slow.join(' or ') },
      { record: `icosa:errors:burn_rate${window}`, expr: burnRate('errors', allowedErrors) },
      { record: `icosa:slow:burn_rate${window}`, expr: burnRate('slow', allowedSlow) },
    ]
  })
}

/** Objectives with matchers for disjoint classes: a service belongs to the first objective that names it. */
function classesOf<Objective extends { readonly services?: readonly string[]; readonly target: number }>(
  objectives: readonly Objective[],
) {
  const named: string[] = []
  return objectives.map((objective) => {
    const own = objective.services?.filter((service) => !named.includes(service))
    const [operator, services] = own ? ['=~', own] : ['!~', [...named]]
    named.push(...(own ?? []))
    const isEvery = !own && services.length === 0
    return {
      ...objective,
      matchers: isEvery ? [] : [`service${operator}"${services.join('|')}"`],
      budget: Number((1 - objective.target).toPrecision(10)),
    }
  })
}
