// In a frame of an application's page. Only the window opened from here may tell it where to continue.
addEventListener('message', ({ data, origin, source }) => {
  if (origin !== location.origin || source?.opener !== window || typeof data?.outcome !== 'string') return
  source.postMessage('taken', origin)
  location.replace(data.outcome)
})
