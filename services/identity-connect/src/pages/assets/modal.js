// In a frame of an application's page. The window that was opened from here, and nobody else, says where to go on.
addEventListener('message', ({ data, origin, source }) => {
  if (origin !== location.origin || source?.opener !== window || typeof data?.outcome !== 'string') return
  source.postMessage('taken', origin)
  location.replace(data.outcome)
})
