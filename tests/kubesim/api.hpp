// The resources: lists, single objects, reviews, logs.
#pragma once

#include "kubesim/access.hpp"
#include "kubesim/discovery.hpp"
#include "kubesim/faults.hpp"
#include "kubesim/listing.hpp"
#include "kubesim/roots.hpp"
#include "kubesim/store.hpp"
#include "kubesim/target.hpp"

#include <string>

namespace di::kubesim {

struct Call {
    const Request& request;
    const Target& target;
    std::string user; ///< who is asked for, after impersonation
};

class Api {
public:
    Api(Served served, const Access& access, const Roots& roots, Faults& faults)
        : served_(std::move(served)),
          access_(access),
          roots_(roots),
          faults_(faults) {}

    /// Everything but an upgraded exec; the caller is authenticated.
    Response answer(const Call& call) const;

    /// The 403 or 404 that stands before any look at the object; nothing when all is well.
    std::optional<Response> refuse(const Call& call) const;

private:
    struct Route;
    static const std::vector<Route>& routes();

    Response get(const Call& call) const;
    Response list(const Call& call) const;
    Response log(const Call& call) const;
    Response proxy(const Call& call) const;
    Response spdy_exec(const Call& call) const;
    Response review_access(const Call& call) const;
    Response review_self(const Call& call) const;

    std::optional<Response> read_paging(const Call& call, ListQuery& query) const;

    Served served_;
    const Access& access_;
    const Roots& roots_;
    Faults& faults_;
};

} // namespace di::kubesim
