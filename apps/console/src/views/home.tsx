import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { catalogueQuery, statusQuery } from '../data/catalogue.ts'
import { Documents } from '../parts/documents.tsx'
import { Copyable } from '../parts/snippets.tsx'
import { State } from '../parts/values.tsx'
import { LastErrors, Traffic } from './traffic.tsx'

/** Status, first steps, traffic, errors, missing prerequisites and services. */
export function Home() {
  const { data: status, error } = useQuery(statusQuery)
  const { data: catalogue } = useQuery(catalogueQuery)
  if (error) return <p className="problem">{error.message}</p>
  const missing = status?.needs.filter(({ isOptional }) => !isOptional) ?? []
  return (
    <div className="home">
      <h1>Home</h1>
      <p className="facts">
        {status ? <State value={status.status} /> : <span className="muted">…</span>}
        <span>{catalogue?.services.length ?? '…'} services</span>
        {status?.development && <span>development mode</span>}
      </p>
      <Documents isDevelopment={status?.development === true} />
      <Tries />
      <Traffic />
      <LastErrors />
      {missing.length > 0 && (
        <section>
          <h2>Missing on this machine</h2>
          <ul className="needs">
            {missing.map(({ service, need, purpose, remedy }) => (
              <li key={service + need}>
                <p>
                  <State value={`${need} is not installed`} />{' '}
                  <span className="muted">
                    {service}: {purpose}
                  </span>
                </p>
                <Copyable text={remedy} label={`How to install ${need}`} />
              </li>
            ))}
          </ul>
        </section>
      )}
      <section>
        <h2>Services</h2>
        <ul className="cards">
          {catalogue?.services.map(({ name, title, views, operations, group }) => {
            const lacks = missing.some(({ service }) => service === name)
            return (
              <li key={name}>
                <h3>
                  <Link to="/$service" params={{ service: name }}>
                    {title}
                  </Link>
                </h3>
                <p className="muted">
                  {group}, {operations} operations
                </p>
                <p>
                  <State value={lacks ? 'partial' : 'ready'} />
                </p>
                <p className="links">
                  {views
                    .filter(({ parent }) => !parent)
                    .slice(0, 4)
                    .map(({ id, title: view }) => (
                      <Link key={id} to="/$service/$view" params={{ service: name, view: id }}>
                        {view}
                      </Link>
                    ))}
                </p>
              </li>
            )
          })}
        </ul>
      </section>
    </div>
  )
}

/** First steps: links to the forms of views with an invitation. */
function Tries() {
  const { data } = useQuery(catalogueQuery)
  const invitations = data?.services.flatMap(({ name, views }) =>
    views.flatMap((view) => (view.invitation === undefined ? [] : [{ ...view, service: name }])),
  )
  if (!invitations?.length) return null
  return (
    <section>
      <h2>Try it</h2>
      <ul className="cards">
        {invitations.map(({ id, invitation, about, service }) => (
          <li key={id}>
            <h3>
              <Link to="/$service/$view" params={{ service, view: id }} search={{ act: 'create' }}>
                {invitation}
              </Link>
            </h3>
            <p className="muted">{about}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}
