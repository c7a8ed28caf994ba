import { Suspense, useEffect, useState } from 'react'
import { Icon } from '../kit/icons.tsx'
import { lazyPart } from '../kit/lazy-part.ts'
import { useTexts } from '../kit/texts.ts'
import { FRAME_TEXTS } from './frame-texts.ts'

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.platform)

const SearchDialog = lazyPart(() => import('./search-dialog.tsx'))

/** Opens the search by a button, or by `Ctrl K` or `⌘ K`. */
export function SearchBox() {
  const t = useTexts(FRAME_TEXTS)
  const [isOpen, setOpen] = useState(false)
  useEffect(() => {
    const open = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      setOpen(true)
    }
    addEventListener('keydown', open)
    return () => removeEventListener('keydown', open)
  }, [])
  return (
    <>
      <button type="button" className="top-button search-button" onClick={() => setOpen(true)}>
        <Icon name="search" />
        <span className="search-text">{t.searchLabel}</span>
        <kbd>{IS_APPLE ? '⌘ K' : 'Ctrl K'}</kbd>
      </button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
