/** What stands where nothing is yet: why, and what to do next. */
import type { ReactNode } from "react";
import "./empty.css";

export function Empty({ icon, title, children, action }: { icon?: ReactNode; title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="empty">
      {icon && <span className="empty-icon">{icon}</span>}
      <p className="empty-title">{title}</p>
      {children && <div className="empty-words">{children}</div>}
      {action && <div className="empty-action">{action}</div>}
    </div>
  );
}
