import { useEffect, useRef } from 'react'
import { Sheet } from './dialog.tsx'

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** Binds keys and sequences such as `g h`, active while no input has the focus and no dialog is open. */
export function useShortcuts(shortcuts: Readonly<Record<string, () => void>>) {
  const latest = useRef(shortcuts)
  latest.current = shortcuts
  useEffect(() => {
    let before = ''
    const onKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return
      if (document.querySelector('[role="dialog"]')) return
      const run = latest.current[`${before} ${event.key}`] ?? latest.current[event.key]
      before = event.key
      if (!run) return
      event.preventDefault()
      run()
    }
    addEventListener('keydown', onKey)
    return () => removeEventListener('keydown', onKey)
  }, [])
}

const keys = [
  ['/', 'Search'],
  ['g h', 'Home'],
  ['g w', 'Requests'],
  ['g j', 'Jobs'],
  ['g d', 'Development'],
  ['j, k', 'Next and previous row'],
  ['Enter', 'Open the row'],
  ['n', 'New'],
  ['Escape', 'Close'],
  ['?', 'Keyboard shortcuts'],
] as const

export function Help({ onClose }: { readonly onClose: () => void }) {
  return (
    <Sheet title="Keyboard shortcuts" onClose={onClose}>
      <dl className="keys">
        {keys.map(([key, what]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Sheet>
  )
}
