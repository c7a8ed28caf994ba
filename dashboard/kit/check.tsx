import type { ReactNode } from 'react'

interface CheckProps {
  isChecked: boolean
  isPartial?: boolean
  onChange(): void
  /** Its label. */
  children: ReactNode
}

/** A checkbox of plain elements, where there are many: that of the kit takes much longer to render. */
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
