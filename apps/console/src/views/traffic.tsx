import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalogueQuery, platformNow } from '../data/catalogue.ts'
import { errorsQuery, isFailure, isOwn, maxTraffic, trafficQuery, type WatchedRequest } from '../data/watch.ts'
import { Cells } from '../parts/cells.tsx'
import { State, Time } from '../parts/values.tsx'
import { Status } from './requests.tsx'

const minutes = 10

/** Counts recent requests by service, busiest first. */
function summarized(requests: readonly WatchedRequest[]) {
  const since = platformNow().getTime() - minutes * 60_000
  const recent = requests.filter((request) => !isOwn(request) && Date.parse(request.at) >= since)
  return Object.entries(Object.groupBy(recent, ({ service }) => service))
    .map(([service, own = []]) => ({
      service,
      count: own.length,
      failures: own.filter(isFailure).length,
      last: own[0]?.at,
    }))
    .sort((a, b) => b.count - a.count)
}

/** Requests by service. They are recorded in development mode only. */
export function Traffic() {
  const { data } = useQuery(trafficQuery)
  const { data: catalogue } = useQuery(catalogueQuery)
  if (!data) return null
  const rows = summarized(data.value)
  const titleOf = (name: string) => catalogue?.services.find((service) => service.name === name)?.title ?? name
  return (
    <section>
      <h2>Traffic</h2>
      <p className="muted">
        {data.recorded
          ? `Requests in the last ${minutes} minutes${data.value.length === maxTraffic ? ` (newest ${maxTraffic} only)` : ''}.${rows.length === 0 ? ' There were none.' : ''} `
          : 'This node does not record requests. '}
        <Link to="/-/requests">Watch live</Link>
      </p>
      {rows.length > 0 && (
        <Cells
          columns={['Service', 'Requests', 'Failed', 'Last']}
          numbers={['Requests', 'Failed']}
          rows={rows.map(({ service, count, failures, last }) => [
            service,
            <Link key="service" className="row" to="/-/requests" search={{ filter: `/${service}/` }}>
              {titleOf(service)}
            </Link>,
            count,
            failures === 0 ? (
              0
            ) : (
              <Link key="failed" to="/-/requests" search={{ filter: `/${service}/`, show: 'errors' }}>
                <State value={`${failures} failed`} />
              </Link>
            ),
            <Time key="last" value={last} />,
          ])}
        />
      )}
    </section>
  )
}

/** Recent errors, each with a link to its request and trace. */
export function LastErrors() {
  const { data } = useQuery(errorsQuery)
  if (!data?.recorded) return null
  return (
    <section>
      <h2>Recent errors</h2>
      {data.value.length === 0 ? (
        <p className="muted">No request has failed.</p>
      ) : (
        <ul className="operations">
          {data.value.map((request) => (
            <li key={request.id}>
              <Link to="/-/requests" search={{ open: request.id, show: 'errors' }}>
                <code>
                  {request.method} {request.path}
                </code>
              </Link>
              <span className="facts">
                <Status request={request} />
                <Time value={request.at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
