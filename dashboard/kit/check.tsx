import type { ReactNode } from 'react'

interface CheckProps {
  isChecked: boolean
  isPartial?: boolean
  onChange(): void
  /** The label. */
  children: ReactNode
}

/** A checkbox of plain elements, for pages with many of them: the kit's checkbox takes much longer to render. */
export function Check({ isChecked, isPartial = false, onChange, children }: CheckProps) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        ref={(input) => {
          if (input) input.indeterminate = isPartial
        }}
        onChange={onChange}
      />
      <span>{children}</span>
    </label>
  )
}
