/** Links to the pages of the node outside the console. */
export function Documents({ isDevelopment }: { readonly isDevelopment: boolean }) {
  return (
    <p className="links">
      <a href="/docs/guides/index.html">Guides</a>
      <a href="/docs">Documentation</a>
      <a href="/first-calls">First calls</a>
      <a href="/openapi.json">OpenAPI</a>
      {isDevelopment && <a href="/journal">Mail, calls and events</a>}
    </p>
  )
}
