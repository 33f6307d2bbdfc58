import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { access } from '../data/access.ts'
import { catalogueQuery, platformNow, statusQuery } from '../data/catalogue.ts'
import { clockQuery, faultsQuery, isMoved, timeOn, useOffered } from '../data/development.ts'
import { signOut } from '../data/sign-in.ts'
import { Help, useShortcuts } from './keyboard.tsx'
import { Search } from './search.tsx'

/** Top bar and navigation around every view. */
export function Frame() {
  const { data: catalogue, error } = useQuery(catalogueQuery)
  const [isOpen, setOpen] = useState(false)
  const [hasHelp, setHelp] = useState(false)
  const navigate = useNavigate()
  const isDevelopment = useQuery(statusQuery).data?.development ?? true
  useShortcuts({
    '?': () => setHelp(true),
    '/': () => document.getElementById('search')?.focus(),
    'g h': () => void navigate({ to: '/' }),
    'g w': () => void navigate({ to: '/-/requests' }),
    'g j': () => void navigate({ to: '/-/jobs' }),
    'g d': () => void navigate({ to: '/-/development' }),
    'g s': () => document.getElementById('search')?.focus(),
  })
  return (
    <>
      <a className="skip" href="#content">
        Skip to content
      </a>
      <header className="top">
        <button type="button" className="quiet fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Menu
        </button>
        <Link to="/" className="brand">
          Icosa
        </Link>
        <Search />
        <ActiveFaults />
        <Clock />
        <span className="tenant" title="Tenant">
          {catalogue?.tenant ?? '…'}
        </span>
        {!isDevelopment && (
          <button type="button" className="quiet" onClick={() => void signOut().catch(() => {})}>
            Sign out
          </button>
        )}
      </header>
      <div className="frame">
        <Navigation isOpen={isOpen} onChoose={() => setOpen(false)} />
        <main id="content">{error ? <Refused message={error.message} /> : <Outlet />}</main>
      </div>
      {hasHelp && <Help onClose={() => setHelp(false)} />}
    </>
  )
}

function Refused({ message }: { readonly message: string }) {
  return (
    <div className="problem" role="alert">
      <p>The catalogue could not be read: {message}</p>
      <button type="button" onClick={() => access.set(undefined)}>
        Use another key
      </button>
    </div>
  )
}

/** The number of active faults, while there are any. */
function ActiveFaults() {
  const { listFaults } = useOffered()
  const { data: faults = [] } = useQuery({ ...faultsQuery, enabled: listFaults !== undefined, retry: false })
  if (faults.length === 0) return null
  return (
    <Link to="/-/development" className="faults">
      {faults.length === 1 ? '1 fault' : `${faults.length} faults`}
    </Link>
  )
}

/** The platform's time, highlighted while it differs from real time. */
function Clock() {
  const { data: status } = useQuery(statusQuery)
  const { moveClock } = useOffered()
  const { data: clock } = useQuery({ ...clockQuery, enabled: moveClock !== undefined })
  if (!status) return null
  const { frozen, offsetMs } = clock ?? { ...status, frozen: false }
  const isUnreal = frozen || isMoved(offsetMs)
  const time = (clock ? timeOn(clock) : platformNow()).toISOString()
  const text = isUnreal ? `${frozen ? 'frozen' : 'clock'}: ${time.slice(0, 16).replace('T', ' ')}` : 'clock: now'
  const look = { className: isUnreal ? 'clock moved' : 'clock', title: time }
  if (!moveClock) return <span {...look}>{text}</span>
  return (
    <Link to="/-/development" {...look}>
      {text}
    </Link>
  )
}

function Navigation({ isOpen, onChoose }: { readonly isOpen: boolean; readonly onChoose: () => void }) {
  const { data } = useQuery(catalogueQuery)
  const { moveClock, resetState, listFaults, listSnapshots } = useOffered()
  const { service: current } = useParams({ strict: false }) as { service?: string }
  return (
    <nav aria-label="Resources" className={isOpen ? 'open' : ''} onClick={onChoose} onKeyDown={undefined}>
      <ul>
        <li>
          <Link to="/" activeOptions={{ exact: true }}>
            Home
          </Link>
        </li>
        <li>
          <Link to="/-/requests" activeOptions={{ includeSearch: false }}>
            Requests
          </Link>
        </li>
        <li>
          <Link to="/-/jobs">Jobs</Link>
        </li>
        {(moveClock || resetState || listFaults || listSnapshots) && (
          <li>
            <Link to="/-/development">Development</Link>
          </li>
        )}
      </ul>
      {data?.groups.map((group) => {
        const views = data.services.flatMap(({ name, views: all }) =>
          all.filter((view) => view.group === group && !view.parent).map((view) => ({ ...view, service: name })),
        )
        const others = data.services.filter(({ group: own, views: all }) => own === group && all.length === 0)
        if (views.length + others.length === 0) return null
        return (
          <details key={group} open={views.some(({ service }) => service === current) || undefined}>
            <summary>{group}</summary>
            <ul>
              {views.map(({ id, title, service }) => (
                <li key={service + id}>
                  <Link to="/$service/$view" params={{ service, view: id }} activeOptions={{ includeSearch: false }}>
                    {title}
                  </Link>
                </li>
              ))}
              {others.map(({ name, title }) => (
                <li key={name}>
                  <Link to="/$service" params={{ service: name }}>
                    {title}
                  </Link>
                </li>
              ))}
            </ul>
          </details>
        )
      })}
    </nav>
  )
}
