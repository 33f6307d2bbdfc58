/** Documents of the node, outside the console. */
export function Documents({ isDevelopment }: { readonly isDevelopment: boolean }) {
  return (
    <p className="links">
      <a href="/docs/guides/index.html">Guides</a>
      <a href="/docs">Documentation</a>
      <a href="/first-calls">A first call of every service</a>
      <a href="/openapi.json">All as one OpenAPI document</a>
      {isDevelopment && <a href="/journal">Mail, calls and events</a>}
    </p>
  )
}
