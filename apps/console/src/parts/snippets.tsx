import { useState } from 'react'
import type { Found } from '../data/catalogue.ts'
import type { Parts } from '../data/request.ts'
import { codeOf } from './code.ts'

export function Copyable({ text, label }: { readonly text: string; readonly label: string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
  }
  return (
    <div className="copyable">
      <pre role="region" tabIndex={0} aria-label={label}>
        {text}
      </pre>
      <button type="button" className="quiet" onClick={() => void copy()} onBlur={() => setCopied(false)}>
        {isCopied ? 'Copied' : 'Copy'}
      </button>
    </div>
  )
}

/** A request as curl and code. */
export function Snippets({
  found,
  service,
  parts,
}: {
  readonly found: Found
  readonly service: string
  readonly parts: Parts
}) {
  const all = Object.entries(codeOf(found, service, parts))
  return (
    <div className="snippets">
      {all.map(([language, text]) => (
        <section key={language}>
          <h3>{language}</h3>
          <Copyable text={text} label={`${found.operation.id} as ${language}`} />
        </section>
      ))}
    </div>
  )
}
