import { type FormEvent, useState } from 'react'
import { access } from '../data/access.ts'
import { Documents } from '../parts/documents.tsx'

/** Asks for a key, which is kept in memory until the page is closed or reloaded. */
export function SignIn() {
  const [key, setKey] = useState('')
  const [id, setId] = useState('')
  const [secret, setSecret] = useState('')
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (key) access.set({ key, ...(id && secret && { signing: { id, secret } }) })
  }
  return (
    <main className="sign-in">
      <h1>Icosa</h1>
      <p className="muted">Enter an API key from your operator. It is kept in memory and never stored.</p>
      <form className="call" onSubmit={onSubmit}>
        <div className="field">
          <label htmlFor="key">Key</label>
          <input
            id="key"
            type="password"
            autoComplete="off"
            value={key}
            onChange={({ target }) => setKey(target.value)}
          />
        </div>
        <details>
          <summary>Access key for signed services</summary>
          <div className="field">
            <label htmlFor="id">Access key ID</label>
            <input id="id" autoComplete="off" value={id} onChange={({ target }) => setId(target.value)} />
          </div>
          <div className="field">
            <label htmlFor="secret">Secret</label>
            <input
              id="secret"
              type="password"
              autoComplete="off"
              value={secret}
              onChange={({ target }) => setSecret(target.value)}
            />
          </div>
        </details>
        <div className="buttons">
          <button type="submit">Sign in</button>
        </div>
      </form>
      <Documents isDevelopment={false} />
    </main>
  )
}
