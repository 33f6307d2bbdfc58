import type { ReactNode } from 'react'

interface TabsProps {
  readonly label: string
  readonly tabs: readonly { readonly id: string; readonly title: string }[]
  readonly open: string
  readonly onOpen: (id: string) => void
  readonly children: ReactNode
}

export function Tabs({ label, tabs, open, onOpen, children }: TabsProps) {
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label}>
        {tabs.map(({ id, title }) => (
          <button key={id} type="button" role="tab" aria-selected={open === id} onClick={() => onOpen(id)}>
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" aria-label={open} tabIndex={0}>
        {children}
      </div>
    </>
  )
}
