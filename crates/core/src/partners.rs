//! Which other units a unit may draw from.

use serde::{Deserialize, Serialize};

use crate::{UnitId, record};

/// The units that one unit draws from, ruled over all of them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Partners {
    /// The unit.
    pub unit: UnitId,
    /// When it joined the pool: 0 for the first version, one more for every version that others joined with.
    pub joined: u32,
    /// The partners by place. Whoever draws names places, so that one more unit in the pool changes the draws
    /// from the places that it wins, and no others. A unit stands at several places only if the pool is smaller.
    pub places: Vec<UnitId>,
}

record!(Partners, "partners", 1);
