import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type KeyboardEvent, useState } from 'react'
import { catalogueQuery, searchQuery } from '../data/catalogue.ts'

interface Hit {
  readonly key: string
  readonly title: string
  readonly about: string
  readonly service: string
  readonly view: string | undefined
  readonly filter?: string
}

/** Searches the registry for resources by name or tag (`key=value`), and views by title. */
export function Search() {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState(0)
  const navigate = useNavigate()
  const hits = useHits(text.trim())
  const go = ({ service, view, filter }: Hit) => {
    setOpen(false)
    setText('')
    if (view) void navigate({ to: '/$service/$view', params: { service, view }, search: filter ? { filter } : {} })
    else void navigate({ to: '/$service', params: { service } })
  }
  const onKey = ({ key }: KeyboardEvent) => {
    if (key === 'ArrowDown') setChosen(Math.min(chosen + 1, hits.length - 1))
    if (key === 'ArrowUp') setChosen(Math.max(chosen - 1, 0))
    if (key === 'Escape') setOpen(false)
    const hit = hits[chosen]
    if (key === 'Enter' && hit) go(hit)
  }
  const isShown = isOpen && hits.length > 0
  return (
    <div className="search">
      <input
        id="search"
        type="search"
        role="combobox"
        aria-label="Search resources by name or tag"
        aria-expanded={isShown}
        aria-controls="hits"
        aria-activedescendant={isShown ? `hit-${chosen}` : undefined}
        placeholder="Search resources (/)"
        autoComplete="off"
        value={text}
        onKeyDown={onKey}
        onBlur={() => setTimeout(() => setOpen(false), 150)}
        onChange={({ target }) => {
          setText(target.value)
          setChosen(0)
          setOpen(true)
        }}
      />
      <ul id="hits" role="listbox" aria-label="Results" hidden={!isShown}>
        {hits.map((hit, index) => (
          <li
            key={hit.key}
            id={`hit-${index}`}
            role="option"
            tabIndex={-1}
            aria-selected={index === chosen}
            onMouseDown={() => go(hit)}
          >
            {hit.title} <span className="muted">{hit.about}</span>
          </li>
        ))}
      </ul>
    </div>
  )
}

function useHits(text: string): Hit[] {
  const { data: catalogue } = useQuery(catalogueQuery)
  const { data: resources = [] } = useQuery(searchQuery(text))
  if (!catalogue || text === '') return []
  const views = catalogue.services.flatMap(({ name: service, views: all }) => all.map((view) => ({ ...view, service })))
  const titled = views.filter(({ title, parent }) => !parent && title.toLowerCase().includes(text.toLowerCase()))
  const named = resources.map(({ id, name, type, service }): Hit => {
    const view = views.find((one) => one.type === type)
    return { key: id, title: name, about: view?.title ?? type, service, view: view?.id, filter: name }
  })
  const kinds = titled.map(
    ({ id, title, group, service }): Hit => ({ key: service + id, title, about: group, service, view: id }),
  )
  return [...kinds.slice(0, 6), ...named.slice(0, 12)]
}
